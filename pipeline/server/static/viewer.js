// The page with polygons over it: zoom, pages, and the way from a polygon to its value.

import { announce, element, replace, shape } from './dom.js';
import { related } from './links.js';
import { text, number } from './texts.js';

const STEPS = [0.5, 0.75, 1, 1.5, 2, 3, 4, 6];

export class Viewer {
  #links;
  #pictures = null;
  #document = null;
  #page = 1;
  #zoom = 1;
  #size = { width: 1, height: 1 };
  #drawing = new AbortController();
  #order = [];  // the fields' polygons as the list has them
  #drawn = '';  // which page the canvas shows
  #parts;

  constructor(host, links) {
    this.#links = links;
    this.#parts = this.#build(host);
    links.addEventListener('active', (event) => this.#onActive(event.detail));
    new ResizeObserver(() => this.#fit()).observe(this.#parts.desk);
    document.addEventListener('inklane:language', () => this.#describe());
  }

  /** Shows a file before it has been read. */
  async preview(pictures) {
    this.#pictures?.close();
    this.#pictures = pictures;
    this.#drawing.abort();
    this.#drawn = '';
    this.#document = null;
    this.#page = 1;
    this.#zoom = 1;
    this.#parts.sheet.hidden = true;
    this.#parts.overlay.replaceChildren();
    this.#describe();
    await this.#draw(1, 0);
  }

  /** Shows what was read. */
  async show(result) {
    this.#document = result;
    await this.goTo(result.pages[0]?.page ?? 1);
  }

  /** The reading has ended in an error: the picture stays, nothing is going on over it any more. */
  set reading(reading) {
    this.#parts.sheet.classList.toggle('reading', reading);
  }

  /** Whether there is a picture of a page. */
  get shown() {
    return !this.#parts.sheet.hidden;
  }

  /** Turns to a page of the document. */
  async goTo(number) {
    const page = this.#document?.pages.find((one) => one.page === number);
    if (!page) return;
    this.#page = number;
    this.#parts.overlay.replaceChildren();
    this.#describe();
    if (page.width > 0) {
      this.#size = { width: page.width, height: page.height };
      this.#fit();
      this.#overlay(page);
    }
    await this.#draw(number, page.angle, page);
  }

  async #draw(page, angle, known = null) {
    this.#drawing.abort();
    this.#drawing = new AbortController();
    const { signal } = this.#drawing;
    const { canvas, sheet, note } = this.#parts;
    note.hidden = true;
    if (known?.width > 0) sheet.hidden = false;  // as white paper with polygons, until it is drawn
    // An old picture under new polygons would be wrong; that of the same page stays.
    if (this.#drawn !== `${page}/${angle}`) canvas.width = canvas.height = 1;
    this.#drawn = '';
    try {
      const size = await this.#pictures.draw(canvas, page, angle, signal);
      if (signal.aborted) return;
      this.#drawn = `${page}/${angle}`;
      if (!(known?.width > 0)) this.#size = size;
      sheet.hidden = false;
      this.#fit();
    } catch (error) {
      if (signal.aborted || error.name === 'AbortError') return;
      note.textContent = `${text('viewer.no_picture')} ${error.status ? error.message : ''}`;
      note.hidden = false;
    }
  }

  #overlay(page) {
    const { overlay } = this.#parts;
    overlay.setAttribute('viewBox', `0 0 ${page.width} ${page.height}`);
    const lines = shape('g', { class: 'lines', 'aria-hidden': 'true' });
    const fields = shape('g', { class: 'fields', role: 'group', 'aria-label': text('viewer.fields') });
    this.#order = [];
    for (const entry of this.#links.entries) {
      for (const region of entry.regions) {
        if (region.page !== page.page) continue;
        const polygon = this.#polygon(entry, region);
        if (entry.kind === 'line') lines.append(polygon);
        else this.#order.push({ polygon, area: areaOf(region.polygon) });
      }
    }
    // A small one that lies within a large one is drawn over it, so that the pointer reaches both.
    fields.append(...this.#order.toSorted((a, b) => b.area - a.area).map(({ polygon }) => polygon));
    // The group is one stop for the Tab key; the arrow keys go on from there, in the order of the list.
    this.#order[0]?.polygon.setAttribute('tabindex', '0');
    fields.addEventListener('keydown', (event) => this.#onKey(event));
    replace(overlay, lines, fields);
    this.#mark(this.#links.active);
  }

  #polygon(entry, region) {
    const isField = entry.kind !== 'line';
    return shape('polygon', {
      points: region.polygon.map((point) => point.join(',')).join(' '),
      class: entry.kind,
      'data-link': entry.id,
      ...(isField ? { tabindex: '-1', role: 'button', 'aria-label': entry.label } : {}),
      on: {
        pointerenter: () => this.#links.hover(entry.id, 'page'),
        pointerleave: () => this.#links.hover(null, 'page'),
        click: () => this.#links.pin(entry.id, 'page'),
        ...(isField ? { focus: () => this.#links.hover(entry.id, 'page'), blur: () => this.#links.hover(null, 'page') } : {}),
      },
    });
  }

  #onKey(event) {
    const polygons = this.#order.map(({ polygon }) => polygon);
    const at = polygons.indexOf(event.target);
    const moves = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: polygons.length - 1 };
    if (event.key === 'Enter' || event.key === ' ') this.#links.pin(event.target.dataset.link, 'page');
    else if (event.key === 'Escape' && this.#links.pinned) this.#links.pin(this.#links.pinned, 'page');
    else if (event.key in moves) {
      const next = polygons[Math.max(0, Math.min(polygons.length - 1, moves[event.key]))];
      for (const polygon of polygons) polygon.setAttribute('tabindex', polygon === next ? '0' : '-1');
      next.focus();
    } else return;
    event.preventDefault();
  }

  async #onActive({ id, from }) {
    this.#mark(id);
    if (from !== 'list' || id === null) return;
    const regions = this.#links.get(id)?.regions ?? [];
    if (!regions.length) return;
    if (!regions.some((region) => region.page === this.#page)) await this.goTo(regions[0].page);
    const first = [...this.#parts.overlay.querySelectorAll('polygon.active')][0];
    if (first) this.#reveal(first);
  }

  /** Scrolls the desk, and nothing around it, to a polygon. */
  #reveal(polygon) {
    const { desk } = this.#parts;
    const outer = desk.getBoundingClientRect();
    const inner = polygon.getBoundingClientRect();
    const off = (from, to, low, high) => (from < low ? from - low : to > high ? Math.min(to - high, from - low) : 0);
    const margin = 24;
    desk.scrollBy({
      top: off(inner.top, inner.bottom, outer.top + margin, outer.bottom - margin),
      left: off(inner.left, inner.right, outer.left + margin, outer.right - margin),
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    });
  }

  #mark(active) {
    const isLine = active !== null && this.#links.get(active)?.kind === 'line';
    this.#parts.overlay.classList.toggle('dimmed', active !== null && !isLine);
    for (const polygon of this.#parts.overlay.querySelectorAll('polygon')) {
      polygon.classList.toggle('active', related(polygon.dataset.link, active));
    }
  }

  #zoomTo(zoom) {
    const { desk } = this.#parts;
    const middle = { x: (desk.scrollLeft + desk.clientWidth / 2) / desk.scrollWidth, y: (desk.scrollTop + desk.clientHeight / 2) / desk.scrollHeight };
    this.#zoom = zoom;
    this.#fit();
    desk.scrollTo(middle.x * desk.scrollWidth - desk.clientWidth / 2, middle.y * desk.scrollHeight - desk.clientHeight / 2);
    announce(text('viewer.zoomed', { percent: number(zoom, { style: 'percent' }) }));
  }

  /** At zoom 1 the whole page is seen; a long strip fills the width instead. */
  #fit() {
    const { desk, sheet, scale } = this.#parts;
    const { width, height } = this.#size;
    const room = { width: Math.max(80, desk.clientWidth - 32), height: Math.max(80, desk.clientHeight - 32) };
    const long = height / width > 2.2;
    const fitted = long ? Math.min(room.width, 520) : Math.min(room.width, (room.height * width) / height);
    sheet.style.setProperty('width', `${Math.max(40, fitted * this.#zoom)}px`);
    sheet.style.setProperty('aspect-ratio', `${width} / ${height}`);
    scale.textContent = number(this.#zoom, { style: 'percent' });
  }

  #step(direction) {
    const next = direction > 0 ? STEPS.find((step) => step > this.#zoom) : STEPS.findLast((step) => step < this.#zoom);
    if (next) this.#zoomTo(next);
  }

  #describe() {
    const { count, previous, next, pager, canvas, desk } = this.#parts;
    const pages = this.#document?.pages ?? [];
    const at = pages.findIndex((page) => page.page === this.#page);
    pager.hidden = pages.length < 2;
    count.textContent = text('viewer.page_of', { page: this.#page, pages: pages.at(-1)?.page ?? 1 });
    previous.disabled = at <= 0;
    next.disabled = at < 0 || at >= pages.length - 1;
    canvas.setAttribute('aria-label', text('viewer.picture', { page: this.#page }));
    desk.setAttribute('aria-label', text('viewer.desk'));
    const error = pages[at]?.error;
    this.#parts.error.hidden = !error;
    this.#parts.error.textContent = error ? error.message : '';
  }

  #turn(by) {
    const pages = this.#document?.pages ?? [];
    const at = pages.findIndex((page) => page.page === this.#page) + by;
    if (pages[at]) void this.goTo(pages[at].page);
  }

  #build(host) {
    const tool = (key, symbol, action) =>
      element('button', { type: 'button', class: 'tool', 'data-label': key, on: { click: action } },
        element('span', { 'aria-hidden': 'true' }, symbol));
    const previous = tool('viewer.previous', '‹', () => this.#turn(-1));
    const next = tool('viewer.next', '›', () => this.#turn(1));
    const count = element('span', { class: 'tool-text', 'aria-live': 'polite' });
    const pager = element('div', { class: 'tools', role: 'group', 'data-label': 'viewer.pages', hidden: true }, previous, count, next);
    const scale = element('span', { class: 'tool-text tool-scale' });
    const zoom = element('div', { class: 'tools', role: 'group', 'data-label': 'viewer.zoom' },
      tool('viewer.smaller', '−', () => this.#step(-1)), scale, tool('viewer.larger', '+', () => this.#step(1)),
      tool('viewer.fit', '⤢', () => this.#zoomTo(1)));
    const canvas = element('canvas', { role: 'img' });
    const overlay = shape('svg', { class: 'overlay', preserveAspectRatio: 'none' });
    const sheet = element('div', { class: 'sheet', hidden: true }, canvas, overlay);
    const note = element('p', { class: 'desk-note', role: 'status', hidden: true });
    const error = element('p', { class: 'desk-note bad', role: 'alert', hidden: true });
    const desk = element('div', { class: 'desk', tabindex: '0', role: 'region', on: { keydown: (event) => this.#onDeskKey(event) } }, error, note, sheet);
    replace(host, element('div', { class: 'viewer-bar' }, pager, zoom), desk);
    return { previous, next, count, pager, scale, canvas, overlay, sheet, note, error, desk };
  }

  #onDeskKey(event) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = { '+': () => this.#step(1), '=': () => this.#step(1), '-': () => this.#step(-1), 0: () => this.#zoomTo(1) };
    if (!(event.key in actions)) return;
    actions[event.key]();
    event.preventDefault();
  }
}

/** By the shoelace formula. */
function areaOf(polygon) {
  const twice = polygon.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = polygon[(index + 1) % polygon.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
