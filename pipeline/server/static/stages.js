// What the stages are doing right now: lanes, queues, batches. Asked for once a second, and only while it can be seen.

import { json } from './api.js';
import { element, replace } from './dom.js';
import { number, stageName, text } from './texts.js';

const EVERY = 1000;
const SLOWEST = 15_000;

export class Stages {
  #host;
  #open = false;
  #last = null;
  #before = null;
  #wait = EVERY;
  #timer = 0;
  #cards = new Map();
  #body = element('div', { class: 'stages-body', id: 'stages-body', hidden: true });
  #facts = element('p', { class: 'stages-facts' });
  #strip = element('ol', { class: 'strip', 'aria-hidden': 'true' });
  #toggle;

  constructor(host) {
    this.#host = host;
    this.#toggle = element('button', {
      type: 'button', class: 'stages-toggle', 'aria-expanded': 'false', 'aria-controls': 'stages-body',
      on: { click: () => this.#show(!this.#open) },
    }, element('span', { class: 'chevron', 'aria-hidden': 'true' }, '›'), element('span', { 'data-text': 'stages.title' }));
    replace(host, element('div', { class: 'stages-bar' }, this.#toggle, this.#strip, this.#facts), this.#body);
    document.addEventListener('inklane:language', () => this.#draw());
    document.addEventListener('visibilitychange', () => this.#schedule(0));
  }

  start() {
    this.#schedule(0);
  }

  #show(open) {
    this.#open = open;
    this.#body.hidden = !open;
    this.#toggle.setAttribute('aria-expanded', String(open));
    this.#host.classList.toggle('open', open);
    this.#draw();
  }

  #schedule(after) {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#timer = setTimeout(() => void this.#ask(), after);
  }

  async #ask() {
    try {
      const statistics = await json('v1/statistics', { signal: AbortSignal.timeout(10_000) });
      this.#before = this.#last;
      this.#last = { ...statistics, at: performance.now() };
      this.#host.hidden = false;
      this.#wait = EVERY;
      this.#draw();
    } catch (error) {
      if ([401, 403, 404].includes(error.status)) this.#host.hidden = true;
      this.#wait = Math.min(SLOWEST, this.#wait * 2);
    }
    this.#schedule(this.#wait);
  }

  #draw() {
    if (!this.#last) return;
    const stages = Object.entries(this.#last.stages).filter(([, stage]) => stage.lanes > 0);
    const pages = Object.values(this.#last.pages).reduce((sum, count) => sum + count, 0);
    this.#facts.textContent = [
      text('stages.documents', { count: this.#last.documents_in_flight + this.#last.waiting_documents }),
      text('stages.pages', { count: pages }),
      ...(this.#last.worker_restarts ? [text('stages.restarts', { count: this.#last.worker_restarts })] : []),
    ].join(' · ');
    replace(this.#strip, stages.map(([name, stage]) =>
      element('li', { class: stage.busy_lanes ? 'working' : false }, element('span', {}, stageName(name)), lanes(stage))));
    if (!this.#open) return;
    if ([...this.#cards.keys()].join() !== stages.map(([name]) => name).join()) this.#makeCards(stages.map(([name]) => name));
    for (const [name, stage] of stages) this.#fill(name, stage);
  }

  #makeCards(names) {
    this.#cards = new Map(names.map((name) => {
      const parts = Object.fromEntries(['lanes', 'waiting', 'mean', 'network', 'rate', 'padding'].map((key) => [key, element('dd')]));
      const title = element('h2');
      const bars = element('div', { class: 'batches', role: 'img' });
      const facts = Object.entries(parts).map(([key, node]) => element('div', {}, element('dt', { 'data-stage-text': `stages.${key}` }), node));
      return [name, { ...parts, title, bars, card: element('article', { class: 'stage-card' }, title, element('dl', {}, facts), bars) }];
    }));
    replace(this.#body, [...this.#cards.values()].map(({ card }) => card));
  }

  #fill(name, stage) {
    const card = this.#cards.get(name);
    card.title.textContent = stageName(name);
    for (const node of card.card.querySelectorAll('[data-stage-text]')) node.textContent = text(node.dataset.stageText);
    replace(card.lanes, lanes(stage), ` ${number(stage.busy_lanes)}/${number(stage.lanes)}`);
    card.waiting.textContent = number(stage.waiting);
    card.mean.textContent = stage.batch_count ? number(stage.mean_batch, { maximumFractionDigits: 1 }) : '—';
    card.network.textContent = stage.network_s.count ? `${number((1000 * stage.network_s.sum) / stage.network_s.count, { maximumFractionDigits: 1 })} ms` : '—';
    card.padding.textContent = stage.padding_share ? number(stage.padding_share, { style: 'percent' }) : '—';
    const earlier = this.#before?.stages[name];
    const seconds = this.#before ? (this.#last.at - this.#before.at) / 1000 : 0;
    card.rate.textContent = earlier && seconds > 0 ? number(Math.max(0, stage.items - earlier.items) / seconds, { maximumFractionDigits: 0 }) : '—';
    const sizes = Object.entries(stage.batches).map(([size, count]) => [Number(size), count]).sort(([a], [b]) => a - b);
    const highest = Math.max(1, ...sizes.map(([, count]) => count));
    card.bars.setAttribute('aria-label', text('stages.sizes', { sizes: sizes.map(([size, count]) => `${size}: ${count}`).join(', ') || '—' }));
    replace(card.bars, sizes.map(([size, count]) => {
      const bar = element('span', { class: 'batch-bar', title: `${size}: ${count}` });
      bar.style.setProperty('block-size', `${Math.max(6, (100 * count) / highest)}%`);
      return element('span', { class: 'batch' }, element('span', { class: 'batch-room' }, bar), element('span', {}, String(size)));
    }));
  }
}

/** A dot for each lane, filled where it is busy. */
const lanes = (stage) =>
  element('span', { class: 'lanes', 'aria-hidden': 'true' },
    Array.from({ length: Math.min(8, stage.lanes) }, (_, index) => element('span', { class: index < stage.busy_lanes ? 'lane busy' : 'lane' })));
