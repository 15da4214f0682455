// How far the reading is: a bar for the whole, and a mark for every page.

import { announce, element, replace } from './dom.js';
import { text } from './texts.js';

const MARKS = 40;  // pages that get a mark of their own
const WORTH = { opened: 0, detected: 0.35, recognised: 0.8, done: 1, failed: 1 };

export class ReadingProgress {
  #host;
  #bar = element('progress', { max: '1', 'data-label': 'progress.label' });
  #sentence = element('p', { class: 'progress-text' });
  #marks = element('ol', { class: 'marks', 'aria-hidden': 'true' });
  #pages = new Map();
  #total = null;
  #done = 0;
  #state = null;

  constructor(host) {
    this.#host = host;
    replace(host, this.#bar, this.#sentence, this.#marks);
    document.addEventListener('inklane:language', () => this.#draw());
  }

  start() {
    this.#pages.clear();
    this.#total = null;
    this.#done = 0;
    this.#state = 'sending';
    this.#host.hidden = false;
    this.#draw();
  }

  /** @param {{page: ?number, pages: ?number, stage: string, pages_done: number}} step */
  step({ page, pages, stage, pages_done: done }) {
    this.#total = pages ?? this.#total;
    this.#done = done;
    if (page !== null && page !== undefined) this.#pages.set(page, stage);
    else if (stage === 'restarted') this.#pages.clear();
    this.#state = stage === 'restarted' ? 'restarted' : 'reading';
    this.#draw();
    if (this.#total > 1 && (stage === 'done' || stage === 'failed')) announce(this.#sentence.textContent);
  }

  stop() {
    this.#state = null;
    this.#host.hidden = true;
  }

  #draw() {
    if (this.#state === null) return;
    const worth = [...this.#pages.values()].reduce((sum, stage) => sum + (WORTH[stage] ?? 0), 0);
    if (this.#total) this.#bar.value = Math.min(1, worth / this.#total);
    else this.#bar.removeAttribute('value');
    this.#sentence.textContent = this.#state === 'reading' && this.#total
      ? text('progress.pages', { done: this.#done, count: this.#total })
      : text(`progress.${this.#state === 'reading' ? 'opening' : this.#state}`);
    const count = this.#total ?? 0;
    this.#marks.hidden = count < 2 || count > MARKS;
    if (this.#marks.hidden) return;
    // Pages are numbered as in the document; those not heard of yet take the places that are left.
    const heard = [...this.#pages].sort(([a], [b]) => a - b);
    const marks = Array.from({ length: count }, (_, index) => this.#pages.get(index + 1) ?? heard[index]?.[1] ?? 'waiting');
    replace(this.#marks, marks.map((stage, index) => element('li', { class: `mark ${stage}` }, String(index + 1))));
  }
}
