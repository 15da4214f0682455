// The samples that come with the service: a picture, what it is, and one click to read it.

import { call, json } from './api.js';
import { byId, element, replace } from './dom.js';
import { nameOf, text } from './texts.js';

const FIRST = 10;

export class Samples {
  #all = [];
  #showAll = false;
  #types;
  #onpick;

  /** @param {() => object} types the document types @param {(name: string) => void} onpick */
  constructor(types, onpick) {
    this.#types = types;
    this.#onpick = onpick;
    byId('samples-all').addEventListener('click', () => {
      this.#showAll = !this.#showAll;
      this.draw();
    });
    document.addEventListener('inklane:language', () => this.draw());
  }

  async start() {
    this.#all = (await json('static/samples/list.json')).samples;
  }

  has(name) {
    return this.#all.some((sample) => sample.name === name);
  }

  /** A sample as a file, as though it had been dropped. */
  async file(name, signal) {
    const blob = await (await call(`static/samples/${encodeURIComponent(name)}`, { signal })).blob();
    return new File([blob], name, { type: blob.type });
  }

  draw() {
    byId('samples').hidden = this.#all.length === 0;
    const chosen = this.#showAll ? this.#all : featured(this.#all);
    replace(byId('sample-grid'), chosen.map((sample) => this.#card(sample)));
    const button = byId('samples-all');
    button.hidden = this.#all.length <= FIRST;
    button.textContent = this.#showAll ? text('samples.fewer') : text('samples.all', { count: this.#all.length });
  }

  #card(sample) {
    const name = sample.name.replace(/\.\w+$/, '').replaceAll('-', ' ');  // file names are English
    const kind = sample.name.split('.').pop().toUpperCase();
    const picture = sample.picture
      ? element('img', { src: `static/samples/${encodeURIComponent(sample.name)}`, alt: '', loading: 'lazy', decoding: 'async' })
      : element('span', { class: 'sample-kind', 'aria-hidden': 'true' }, kind);
    const type = sample.doc_type ? nameOf(this.#types()[sample.doc_type]?.names, sample.doc_type) : text('samples.text_only');
    return element('li', {}, element('button', { type: 'button', class: 'sample', on: { click: () => this.#onpick(sample.name) } },
      element('span', { class: 'sample-picture' }, picture),
      element('span', { class: 'sample-name' }, sample.pages > 1 ? `${type} · ${text('samples.pages', { count: sample.pages })}` : type),
      element('span', { class: 'sample-type', lang: 'en' }, name)));
  }
}

/** One of each kind first, in the order of the list, so that the first row shows what there is. */
function featured(all) {
  const seen = new Set();
  const first = all.filter((sample) => {
    const kind = sample.doc_type ?? (sample.pages > 1 ? 'pages' : 'text');
    return !seen.has(kind) && seen.add(kind);
  });
  return [...first, ...all.filter((sample) => !first.includes(sample))].slice(0, FIRST);
}
