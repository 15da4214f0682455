// Building elements without HTML strings, so that no text from a document is ever parsed as markup.

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children. `on` holds listeners; false, null and undefined are left out. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const byId = (id) => document.getElementById(id);

/** Replaces what is in a node. */
export function replace(node, ...children) {
  node.replaceChildren(...children.flat().filter(present));
}

const present = (child) => child !== null && child !== undefined && child !== false;

function fill(node, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (!present(value)) continue;
    node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  node.append(...children.flat().filter(present));
  return node;
}

let announcements = 0;

/** Says something to screen readers. What is said in quick succession is merged into the last. */
export function announce(sentence) {
  const turn = ++announcements;
  setTimeout(() => {
    if (turn === announcements) byId('announcer').textContent = sentence;
  }, 150);
}
