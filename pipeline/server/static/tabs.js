// Tabs after the ARIA authoring practices: one stop for the Tab key, arrow keys between them.

import { element } from './dom.js';

export class Tabs {
  #tabs = new Map();
  list = element('div', { class: 'tab-list', role: 'tablist', 'data-label': 'results.label', on: { keydown: (event) => this.#onKey(event) } });
  panels = element('div', { class: 'tab-panels' });
  onselect = () => {};

  /** @param {string} name also the key of the tab's text */
  add(name, panel) {
    const tab = element('button', {
      type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, 'data-text': `tab.${name}`,
      on: { click: () => this.select(name) },
    });
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('tabindex', '0');
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    panel.id = `panel-${name}`;
    this.#tabs.set(name, { tab, panel });
    this.list.append(tab);
    this.panels.append(panel);
  }

  select(name) {
    for (const [other, { tab, panel }] of this.#tabs) {
      const selected = other === name;
      tab.setAttribute('aria-selected', String(selected));
      tab.setAttribute('tabindex', selected ? '0' : '-1');
      panel.hidden = !selected;
    }
    this.onselect(name);
  }

  #onKey(event) {
    const names = [...this.#tabs.keys()];
    const at = names.findIndex((name) => this.#tabs.get(name).tab === document.activeElement);
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1 + names.length, Home: 0, End: names.length - 1 };
    if (at < 0 || !(event.key in moves)) return;
    const name = names[moves[event.key] % names.length];
    this.select(name);
    this.#tabs.get(name).tab.focus();
    event.preventDefault();
  }
}
