// The list of values: what was read, how sure, what was checked, and what a person should look at.

import { element } from './dom.js';
import { linking } from './links.js';
import { hasText, language, nameOf, percent, text } from './texts.js';

/**
 * All values of a document as linked entries, in reading order of the type's definition.
 *
 * @returns {{name: string, definition: ?object, values: {id: string, field: object}[]}[]}
 */
export function arrange(result, types) {
  const definitions = types[result.doc_type]?.fields ?? [];
  const order = new Map(definitions.map((definition, index) => [definition.name, index]));
  const names = Object.keys(result.fields).sort((a, b) => (order.get(a) ?? 999) - (order.get(b) ?? 999));
  return names.map((name) => ({
    name,
    definition: definitions.find((definition) => definition.name === name) ?? null,
    values: [result.fields[name]].flat().map((field, index) => ({ id: `field/${name}/${index}`, field })),
  }));
}

/** Tells the links about every value and, of rows, every part that has a place of its own. */
export function linkAll(groups, links) {
  for (const { name, definition, values } of groups) {
    for (const { id, field } of values) {
      const label = `${nameOf(definition?.names, name)}: ${shown(field)}`;
      const kind = field.needs_review ? 'field review' : 'field';
      const parts = partsOf(field);
      links.add({ id, label, regions: field.regions, kind: parts.length ? 'field row' : kind });
      for (const [part, value] of parts) {
        links.add({
          id: `${id}/${part}`,
          label: `${nameOf(partNames(definition, part), part)}: ${shown(value)}`,
          regions: value.regions,
          kind: value.needs_review ? 'field review' : 'field',
        });
      }
    }
  }
}

/** The nodes of the list. */
export function fieldNodes(groups, links) {
  return groups.map((group) => {
    const rows = group.values.filter(({ field }) => partsOf(field).length);
    if (rows.length === group.values.length && group.values[0]?.field.type === 'pair') return pairs(group, links);
    if (rows.length === group.values.length && rows.length) return table(group, links);
    return element('div', { class: 'field-group' }, group.values.map(({ id, field }) => single(group, id, field, links)));
  });
}

/** How many values a person should look at, parts of rows included. */
export const reviews = (groups) =>
  groups.flatMap(({ values }) => values).filter(({ field }) => field.needs_review || partsOf(field).some(([, part]) => part.needs_review)).length;

function single({ name, definition }, id, field, links) {
  const label = nameOf(definition?.names, name);
  return element('div', { class: field.needs_review ? 'field needs-review' : 'field', 'data-link': id, on: linking(links, id, { pins: false }) },
    element('button', { type: 'button', class: 'field-head', 'aria-pressed': 'false', on: { click: () => links.pin(id, 'list') } },
      element('span', { class: 'field-name' }, label),
      element('span', { class: 'field-value' }, shown(field))),
    sureness(field),
    element('div', { class: 'field-facts' }, review(field), asRead(field)),
    checks(field));
}

function pairs({ name, definition, values }, links) {
  return element('section', { class: 'field-rows' },
    element('h3', {}, nameOf(definition?.names, name), element('span', { class: 'count' }, String(values.length))),
    values.map(({ id, field }) => {
      const { question, answer } = field.value;
      const unsure = field.needs_review || answer?.needs_review;
      return element('div', { class: unsure ? 'field needs-review' : 'field', 'data-link': id, on: linking(links, id, { pins: false }) },
        element('button', { type: 'button', class: 'field-head', 'aria-pressed': 'false', on: { click: () => links.pin(id, 'list') } },
          element('span', { class: 'field-name' }, question ? shown(question) : '—'),
          element('span', { class: 'field-value' }, answer ? shown(answer) : '—')),
        sureness(field),
        element('div', { class: 'field-facts' }, review(field)),
        checks(field));
    }));
}

function table({ name, definition, values }, links) {
  const found = new Set(values.flatMap(({ field }) => Object.keys(field.value)));
  const known = (definition?.parts ?? []).map((part) => part.name).filter((part) => found.has(part));
  const columns = [...known, ...[...found].filter((part) => !known.includes(part))];
  const title = nameOf(definition?.names, name);
  const row = ({ id, field }, index) =>
    element('tr', { 'data-link': id, class: field.needs_review ? 'needs-review' : false, on: linking(links, id, { pins: false }) },
      element('th', { scope: 'row' }, element('button', {
        type: 'button', class: 'row-number', 'aria-pressed': 'false', 'aria-label': text('field.row', { row: index + 1 }),
        on: { click: () => links.pin(id, 'list') },
      }, String(index + 1))),
      columns.map((column) => cell(`${id}/${column}`, field.value[column], links)));
  return element('section', { class: 'field-rows' },
    element('h3', {}, title, element('span', { class: 'count' }, String(values.length))),
    element('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': title },
      element('table', {},
        element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, '#'),
          columns.map((column) => element('th', { scope: 'col' }, nameOf(partNames(definition, column), column))))),
        element('tbody', {}, values.map(row)))));
}

function cell(id, field, links) {
  if (!field) return element('td', { class: 'empty' }, '—');
  const enter = () => links.hover(id, 'list');
  const numeric = ['money', 'number', 'rate'].includes(field.type);
  const title = `${percent(field.confidence)}${field.checks.map((check) => `\n${check.reason}`).join('')}`;
  return element('td', {
    'data-link': id, title, class: `${numeric ? 'numeric' : ''} ${field.needs_review ? 'needs-review' : ''}`.trim() || false,
    on: { pointerenter: enter, click: () => links.pin(id, 'list') },
  }, shown(field), field.needs_review ? element('span', { class: 'visually-hidden' }, ` (${text('field.review')})`) : null);
}

/** A value as a person reads it: with its currency, sexes and dates without end in words. */
export function shown(field) {
  const { value, type, content } = field;
  if (value === null || value === undefined) return content || '—';
  if (typeof value === 'object') return Object.values(value).map(shown).join(' · ');
  if (type === 'money') return field.currency ? `${value} ${field.currency}` : String(value);
  if (type === 'rate') return `${value} %`;
  if (type === 'datetime') return String(value).replace('T', ' ');
  return hasText(`value.${value}`) && ['sex', 'date'].includes(type) ? text(`value.${value}`) : String(value);
}

function sureness({ confidence }) {
  const level = confidence >= 0.9 ? 'high' : confidence >= 0.6 ? 'middle' : 'low';
  const bar = element('span', { class: 'meter-bar' });
  bar.style.setProperty('inline-size', `${Math.round(confidence * 100)}%`);
  return element('span', {
    class: `meter ${level}`, role: 'meter', 'aria-label': text('field.confidence'), 'aria-valuemin': '0', 'aria-valuemax': '100',
    'aria-valuenow': Math.round(confidence * 100), 'aria-valuetext': percent(confidence),
  }, element('span', { class: 'meter-track', 'aria-hidden': 'true' }, bar), element('span', { 'aria-hidden': 'true' }, percent(confidence)));
}

const review = (field) => (field.needs_review ? element('span', { class: 'tag' }, text('field.review')) : null);

/** The text as it stands on the page, where the value is written otherwise. */
function asRead(field) {
  if (!field.content || field.content === shown(field) || field.content === String(field.value)) return null;
  return element('span', { class: 'as-read' }, text('field.as_read', { content: field.content }));
}

function checks({ checks: made }) {
  if (!made.length) return null;
  // The reasons are the service's, in English.
  return element('ul', { class: 'checks' }, made.map((check) =>
    element('li', { class: check.passed ? 'passed' : 'not-passed' },
      element('span', { class: 'check-mark', role: 'img', 'aria-label': text(check.passed ? 'check.passed' : 'check.failed') }, check.passed ? '✓' : '✗'),
      element('span', { lang: language() === 'en' ? false : 'en' }, check.reason))));
}

const partsOf = (field) => (field.value !== null && typeof field.value === 'object' ? Object.entries(field.value) : []);

const partNames = (definition, part) => definition?.parts?.find((one) => one.name === part)?.names;
