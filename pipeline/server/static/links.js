// What belongs together: a value in the list and its polygons on the page. One is active at a time: the one under the
// pointer or the focus, else the one that was pinned.

export class Links extends EventTarget {
  #hovered = null;
  #pinned = null;
  #entries = new Map();

  /** Forgets everything; a new document has been read. */
  reset() {
    this.#entries.clear();
    this.#hovered = this.#pinned = null;
  }

  /** @param {{id: string, label: string, regions: {page: number, polygon: number[][]}[], kind: string}} entry */
  add(entry) {
    this.#entries.set(entry.id, entry);
  }

  get(id) {
    return this.#entries.get(id);
  }

  get entries() {
    return [...this.#entries.values()];
  }

  get active() {
    return this.#hovered ?? this.#pinned;
  }

  get pinned() {
    return this.#pinned;
  }

  /** @param {?string} id @param {'page' | 'list'} from where the pointer or the focus is */
  hover(id, from) {
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.#tell(from);
  }

  /** Pins, or frees what was pinned. */
  pin(id, from) {
    this.#pinned = id === this.#pinned ? null : id;
    this.#tell(from, true);
  }

  #tell(from, pinned = false) {
    this.dispatchEvent(new CustomEvent('active', { detail: { id: this.active, from, pinned } }));
  }
}

/** Whether an entry is meant when `active` is: it is the same, a part of it, or the row that holds it. */
export const related = (id, active) =>
  active !== null && (id === active || id.startsWith(`${active}/`) || active.startsWith(`${id}/`));

/** Listeners that make an element of the list hover and, on a click, pin an entry. */
export function linking(links, id, { pins = true } = {}) {
  return {
    pointerenter: () => links.hover(id, 'list'),
    pointerleave: () => links.hover(null, 'list'),
    focusin: () => links.hover(id, 'list'),
    focusout: () => links.hover(null, 'list'),
    ...(pins ? { click: () => links.pin(id, 'list') } : {}),
  };
}
