// The document's JSON for reading and copying: polygons and plain lists on one line, colours where it is not too long.

import { element } from './dom.js';

const COLOURED = 150_000;  // characters; beyond it, building the spans takes longer than anybody looks

/** JSON with two spaces a level, as `inklane extract --out` writes it. */
export function pretty(value, newline = '\n') {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const items = Array.isArray(value) ? value : Object.values(value);
  const flat = !items.some((item) => item !== null && typeof item === 'object' && !isPoint(item));
  if (flat) {
    const inner = Array.isArray(value)
      ? value.map((item) => pretty(item, newline))
      : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pretty(item, newline)}`);
    return Array.isArray(value) ? `[${inner.join(', ')}]` : `{${inner.join(', ')}}`;
  }
  const deeper = `${newline}  `;
  if (Array.isArray(value)) return `[${deeper}${value.map((item) => pretty(item, deeper)).join(`,${deeper}`)}${newline}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pretty(item, deeper)}`);
  return `{${deeper}${pairs.join(`,${deeper}`)}${newline}}`;
}

const isPoint = (item) => Array.isArray(item) && item.length === 2 && item.every((one) => typeof one === 'number');

/** The nodes of a coloured JSON text. */
export function coloured(source) {
  if (source.length > COLOURED) return [source];
  const nodes = [];
  let at = 0;
  for (const match of source.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g)) {
    nodes.push(source.slice(at, match.index));
    const [whole, string, colon] = match;
    const kind = colon ? 'json-key' : string ? 'json-string' : 'json-plain';
    nodes.push(element('span', { class: kind }, string ?? whole), colon ?? '');
    at = match.index + whole.length;
  }
  nodes.push(source.slice(at));
  return nodes.filter((node) => node !== '');
}

/** Copies a text; false where the browser does not let us. */
export async function copy(source) {
  try {
    await navigator.clipboard.writeText(source);
    return true;
  } catch {
    const area = element('textarea', { class: 'visually-hidden', 'aria-hidden': 'true', tabindex: '-1' });
    area.value = source;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');  // the only way on a plain http address
    area.remove();
    return copied;
  }
}

/** Offers a text or a blob as a file. */
export function save(source, name) {
  const address = URL.createObjectURL(source instanceof Blob ? source : new Blob([source], { type: 'application/json' }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
