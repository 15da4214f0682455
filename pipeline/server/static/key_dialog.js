// Asks for an API key, on any page.

import { setKey } from './api.js';
import { element } from './dom.js';
import { text } from './texts.js';

/** Shows the dialog; `then` is called when a key was given. */
export function askForKey(then = () => {}) {
  const input = element('input', { type: 'password', id: 'key-input', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'key-help' });
  const dialog = element('dialog', { class: 'dialog', id: 'key-dialog', 'aria-labelledby': 'key-title' },
    element('form', { method: 'dialog', on: { submit: () => {
      setKey(input.value);
      if (input.value.trim()) then();
    } } },
      element('h2', { id: 'key-title' }, text('key.title')),
      element('p', { class: 'fine', id: 'key-help' }, text('key.help')),
      element('label', { class: 'option' }, element('span', {}, text('key.label')), input),
      element('div', { class: 'dialog-actions' },
        element('button', { type: 'button', class: 'button', on: { click: () => dialog.close() } }, text('key.cancel')),
        element('button', { type: 'submit', class: 'button primary' }, text('key.save')))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
