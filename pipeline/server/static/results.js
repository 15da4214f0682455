// What was read, in four views: fields, text, JSON, and the request that gives the same.

import { announce, element, replace } from './dom.js';
import { arrange, fieldNodes, linkAll, reviews } from './fields.js';
import { linking, related } from './links.js';
import { coloured, copy, pretty, save } from './source.js';
import { Tabs } from './tabs.js';
import { nameOf, number, percent, stageName, text } from './texts.js';

export class Results {
  #links;
  #types;
  #result = null;
  #request = null;
  #made = new Set();
  #tabs = new Tabs();
  #panels = {};

  /** @param {() => object} types the document types, by name */
  constructor(host, links, types) {
    this.#links = links;
    this.#types = types;
    for (const name of ['fields', 'text', 'json', 'request']) {
      this.#panels[name] = element('div', { class: `panel panel-${name}` });
      this.#tabs.add(name, this.#panels[name]);
    }
    this.#tabs.onselect = (name) => this.#make(name);
    replace(host, this.#tabs.list, this.#tabs.panels);
    links.addEventListener('active', (event) => this.#onActive(event.detail));
    document.addEventListener('inklane:language', () => this.#remake());
  }

  /** Shows an empty list while the document is being read. */
  wait() {
    this.#result = null;
    this.#made.clear();
    for (const panel of Object.values(this.#panels)) panel.replaceChildren();
    const bones = Array.from({ length: 5 }, () => element('div', { class: 'bone', 'aria-hidden': 'true' }, element('span'), element('span')));
    replace(this.#panels.fields, element('p', { class: 'fine' }, text('results.waiting')), bones);
    this.#tabs.select('fields');
  }

  /** Nothing will come. */
  clear() {
    this.#result = null;
    for (const panel of Object.values(this.#panels)) replace(panel, element('p', { class: 'fine' }, text('results.none')));
  }

  show(result, request) {
    this.#result = result;
    this.#request = request;
    this.#links.reset();
    linkAll(arrange(result, this.#types()), this.#links);
    for (const page of result.pages) {
      page.lines.forEach((line, index) => this.#links.add({
        id: `line/${page.page}/${index}`, label: line.text, kind: 'line', regions: [{ page: page.page, polygon: line.polygon }],
      }));
    }
    this.#made.clear();
    this.#tabs.select(Object.keys(result.fields).length ? 'fields' : 'text');
  }

  #remake() {
    if (!this.#result) return;
    const shownNow = Object.entries(this.#panels).find(([, panel]) => !panel.hidden)[0];
    this.#links.reset();
    this.show(this.#result, this.#request);
    this.#tabs.select(shownNow);
  }

  /** A view is built when it is first looked at. */
  #make(name) {
    if (!this.#result || this.#made.has(name)) return;
    this.#made.add(name);
    const views = { fields: () => this.#fields(), text: () => this.#text(), json: () => this.#json(), request: () => this.#requests() };
    replace(this.#panels[name], ...views[name]());
    this.#mark(this.#links.active, null);
  }

  #fields() {
    const result = this.#result;
    const groups = arrange(result, this.#types());
    const open = reviews(groups);
    const type = result.doc_type;
    const head = element('div', { class: 'verdict' },
      element('h2', { class: 'verdict-type' }, type ? nameOf(this.#types()[type]?.names, type) : text('fields.no_type'),
        type && result.doc_type_confidence !== null ? element('span', { class: 'fine' }, percent(result.doc_type_confidence)) : null),
      groups.length ? element('p', { class: open ? 'tag' : 'tag good' }, open ? text('fields.to_review', { count: open }) : text('fields.all_good')) : null);
    const notes = result.warnings.map((warning) => element('li', {}, warning.message));
    return [
      head,
      notes.length ? element('ul', { class: 'warnings', 'aria-label': text('fields.warnings') }, notes) : null,
      groups.length ? fieldNodes(groups, this.#links) : element('p', { class: 'fine' }, text('fields.none')),
    ];
  }

  #text() {
    const pages = this.#result.pages;
    const whole = pages.map((page) => page.lines.map((line) => line.text).join('\n')).join('\n\f\n');
    const line = (page, one, index) => {
      const id = `line/${page.page}/${index}`;
      const level = one.confidence >= 0.9 ? '' : one.confidence >= 0.7 ? ' middle' : ' low';
      return element('p', { class: `text-line${level}`, 'data-link': id, title: percent(one.confidence), on: linking(this.#links, id) }, one.text);
    };
    return [
      element('div', { class: 'panel-tools' }, this.#copyButton('text.copy', () => whole)),
      pages.map((page) => element('section', { class: 'text-page' },
        pages.length > 1 ? element('h2', {}, text('text.page', { page: page.page })) : null,
        page.error ? element('p', { class: 'bad' }, page.error.message) : null,
        !page.error && !page.lines.length ? element('p', { class: 'fine' }, text('text.empty')) : null,
        page.lines.map((one, index) => line(page, one, index)))),
    ];
  }

  #json() {
    const source = pretty(this.#result);
    const name = `${this.#result.file.replace(/^.*[\\/]/, '')}.json`;
    return [
      element('div', { class: 'panel-tools' },
        this.#copyButton('json.copy', () => source),
        element('button', { type: 'button', class: 'button small', on: { click: () => save(source, name) } }, text('json.save'))),
      element('pre', { class: 'source', tabindex: '0', 'aria-label': 'JSON', translate: 'no' }, coloured(source)),
    ];
  }

  #requests() {
    const { url, name } = this.#request;
    const quoted = `'${name.replaceAll("'", "'\\''")}'`;
    const curl = `curl -F file=@${quoted} \\\n  '${url}'`;
    const python = `from pipeline.client import Client\n\nwith Client(${JSON.stringify(new URL(url).origin)}) as client:\n    document = client.read(${JSON.stringify(name)})\n    for key, field in document.fields.items():\n        print(key, field)`;
    const block = (title, source) => element('section', { class: 'snippet' },
      element('div', { class: 'panel-tools' }, element('h2', {}, title), this.#copyButton('request.copy', () => source)),
      element('pre', { class: 'source', tabindex: '0', 'aria-label': title, translate: 'no' }, source));
    return [element('p', { class: 'fine' }, text('request.lead')), block('curl', curl), block('Python', python), this.#times()];
  }

  #times() {
    const { elapsed_ms: elapsed, stages } = this.#result.timings;
    const longest = Math.max(1, ...Object.values(stages).map((stage) => stage.queue_ms + stage.busy_ms));
    const ms = (value) => number(value, { maximumFractionDigits: value < 10 ? 1 : 0 });
    const bar = (stage) => {
      const queue = element('span', { class: 'time-queue' });
      const busy = element('span', { class: 'time-busy' });
      queue.style.setProperty('inline-size', `${(100 * stage.queue_ms) / longest}%`);
      busy.style.setProperty('inline-size', `${(100 * stage.busy_ms) / longest}%`);
      return element('span', { class: 'time-bar', 'aria-hidden': 'true' }, queue, busy);
    };
    return element('section', { class: 'snippet' },
      element('h2', {}, text('times.title', { ms: ms(elapsed) })),
      element('table', { class: 'times' },
        element('thead', {}, element('tr', {}, ['stage', 'queue', 'busy', 'items'].map((key) => element('th', { scope: 'col' }, text(`times.${key}`))), element('td'))),
        element('tbody', {}, Object.entries(stages).map(([stage, timing]) =>
          element('tr', {}, element('th', { scope: 'row' }, stageName(stage)),
            [timing.queue_ms, timing.busy_ms].map((value) => element('td', { class: 'numeric' }, ms(value))),
            element('td', { class: 'numeric' }, number(timing.items)), element('td', { class: 'time-cell' }, bar(timing)))))));
  }

  #copyButton(key, source) {
    const button = element('button', { type: 'button', class: 'button small', on: { click: async () => {
      const copied = await copy(source());
      button.textContent = text(copied ? 'copied' : 'copy_refused');
      announce(button.textContent);
      setTimeout(() => { button.textContent = text(key); }, 1600);
    } } }, text(key));
    return button;
  }

  #onActive({ id, from }) {
    this.#mark(id, from);
  }

  #mark(active, from) {
    const panel = Object.values(this.#panels).find((one) => !one.hidden);
    const exact = [];
    for (const node of panel.querySelectorAll('[data-link]')) {
      const on = related(node.dataset.link, active);
      node.classList.toggle('active', on);
      if (node.dataset.link === active) exact.push(node);
      const button = node.querySelector(':scope > button, :scope > th > button');
      button?.setAttribute('aria-pressed', String(node.dataset.link === this.#links.pinned));
    }
    if (from === 'page' && exact[0]) scrollWithin(this.#tabs.panels, exact[0]);
  }
}

/** Scrolls a list, and nothing around it, as far as needed. */
function scrollWithin(list, node) {
  const outer = list.getBoundingClientRect();
  const inner = node.getBoundingClientRect();
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  const smooth = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  list.scrollBy({ top: inner.top - outer.top - outer.height / 3, behavior: smooth ? 'smooth' : 'auto' });
}
