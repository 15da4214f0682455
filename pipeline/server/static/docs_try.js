// A form for one operation: fill in, send, look at what comes back.

import { eventsOf, withAuthorization } from './api.js';
import { announce, element, replace } from './dom.js';
import { exampleOf } from './docs_schema.js';
import { coloured, copy, pretty, save } from './source.js';
import { number, text } from './texts.js';

/** @param {string} method @param {string} path @param {object} operation */
export function tryIt(method, path, operation) {
  const inputs = (operation.parameters ?? []).map((parameter) => ({ parameter, input: inputFor(operation, parameter) }));
  const body = operation.requestBody ? bodyInputs(operation) : null;
  const command = element('pre', { class: 'source', tabindex: '0', 'aria-label': 'curl', translate: 'no' });
  const answer = element('div', { class: 'answer' });
  const send = element('button', { type: 'submit', class: 'button primary' }, text('docs.send'));
  const stop = element('button', { type: 'button', class: 'button', hidden: true }, text('docs.stop'));
  const draw = () => { command.textContent = curl(method, target(path, inputs), inputs, body); };
  const form = element('form', { class: 'try', on: {
    input: draw,
    submit: (event) => {
      event.preventDefault();
      void transmit({ method, path, inputs, body, answer, send, stop });
    },
  } },
    inputs.length ? element('div', { class: 'try-fields' }, inputs.map(({ parameter, input }) =>
      element('label', { class: 'option' }, element('span', {}, element('code', {}, parameter.name), parameter.required ? ` · ${text('docs.required')}` : ''), input))) : null,
    body?.nodes,
    element('div', { class: 'try-actions' }, send, stop,
      element('button', { type: 'button', class: 'button', on: { click: async () => announce(text((await copy(command.textContent)) ? 'copied' : 'copy_refused')) } }, text('docs.copy_curl'))),
    command, answer);
  draw();
  return form;
}

function inputFor(operation, { name, schema, required, example }) {
  const attributes = { id: `${operation.operationId}-${name}`, required };
  const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null);
  if (choices) {
    const empty = required ? [] : [element('option', { value: '' }, '—')];
    return element('select', attributes, empty, choices.map((choice) => element('option', { value: choice }, String(choice))));
  }
  const type = ['integer', 'number'].includes(schema.type) ? 'number' : 'text';
  const hint = example ?? schema.default;
  return element('input', { ...attributes, type, step: schema.type === 'number' ? 'any' : null, min: schema.minimum, max: schema.maximum, placeholder: hint === undefined ? null : String(hint), autocomplete: 'off' });
}

function bodyInputs(operation) {
  const content = operation.requestBody.content;
  const kind = element('select', {}, Object.keys(content).map((type) => element('option', { value: type }, type)));
  const file = element('input', { type: 'file', multiple: true });
  const source = element('textarea', { rows: '8', spellcheck: 'false' });
  const fileLabel = element('label', { class: 'option' }, element('span', {}, text('docs.file')), file);
  const sourceLabel = element('label', { class: 'option' }, element('span', {}, 'JSON'), source);
  const choose = () => {
    const isJson = kind.value === 'application/json';
    fileLabel.hidden = isJson;
    sourceLabel.hidden = !isJson;
    if (isJson && !source.value) source.value = pretty(exampleOf(content[kind.value].schema));
  };
  kind.addEventListener('change', choose);
  choose();
  return { kind, file, source, nodes: element('div', { class: 'try-fields' },
    element('label', { class: 'option' }, element('span', {}, text('docs.body')), kind), fileLabel, sourceLabel) };
}

/** The address with what was filled in; what was left out of the path stays in braces. */
function target(path, inputs) {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) => {
    const found = inputs.find(({ parameter }) => parameter.name === name && parameter.in === 'path');
    return found?.input.value ? encodeURIComponent(found.input.value) : whole;
  });
  const query = new URLSearchParams(inputs.filter(({ parameter, input }) => parameter.in === 'query' && input.value !== '').map(({ parameter, input }) => [parameter.name, input.value]));
  const base = new URL('.', document.baseURI);
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${filled}${query.size ? `?${query}` : ''}`;
}

const headersOf = (inputs) => Object.fromEntries(inputs.filter(({ parameter, input }) => parameter.in === 'header' && input.value).map(({ parameter, input }) => [parameter.name, input.value]));

function curl(method, url, inputs, body) {
  const parts = [`curl${method === 'get' || (method === 'post' && body) ? '' : ` -X ${method.toUpperCase()}`} '${url}'`];
  for (const [name, value] of Object.entries(headersOf(inputs))) parts.push(`-H '${name}: ${value}'`);
  if (body?.kind.value === 'multipart/form-data') parts.push('-F file=@document.pdf');
  else if (body?.kind.value === 'application/json') parts.push("-H 'Content-Type: application/json'", '-d @request.json');
  else if (body) parts.push(`-H 'Content-Type: ${body.kind.value}'`, '--data-binary @document.pdf');
  return parts.join(' \\\n  ');
}

async function transmit({ method, path, inputs, body, answer, send, stop }) {
  const given = new AbortController();
  const url = target(path, inputs);
  const options = { method: method.toUpperCase(), headers: withAuthorization(headersOf(inputs)), signal: given.signal };
  if (body) fillBody(options, body);
  send.disabled = true;
  stop.hidden = false;
  stop.onclick = () => given.abort();
  replace(answer, element('p', { class: 'fine', role: 'status' }, text('docs.waiting')));
  const started = performance.now();
  try {
    const response = await fetch(url, options);
    await showAnswer(response, performance.now() - started, answer);
  } catch (error) {
    replace(answer, element('p', { class: 'bad', role: 'alert' }, error.name === 'AbortError' ? text('docs.stopped') : text('error.unreachable')));
  } finally {
    send.disabled = false;
    stop.hidden = true;
  }
}

function fillBody(options, { kind, file, source }) {
  if (kind.value === 'multipart/form-data') {
    options.body = new FormData();
    for (const one of file.files) options.body.append('file', one, one.name);
    return;
  }
  options.headers['Content-Type'] = kind.value;
  options.body = kind.value === 'application/json' ? source.value : file.files[0];
}

async function showAnswer(response, elapsed, answer) {
  const head = element('p', { class: response.ok ? 'status good' : 'status bad', role: 'status' },
    `${response.status} ${response.statusText} · ${number(elapsed, { maximumFractionDigits: 0 })} ms`);
  const headers = element('details', {}, element('summary', {}, text('docs.headers')),
    element('pre', { class: 'source', tabindex: '0', 'aria-label': text('docs.headers') }, [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')));
  const content = element('div');
  replace(answer, head, headers, content);
  const type = response.headers.get('Content-Type') ?? '';
  const block = (nodes) => element('pre', { class: 'source', tabindex: '0', 'aria-label': text('docs.answer'), translate: 'no' }, nodes);
  if (type.startsWith('text/event-stream')) {
    const list = block([]);
    replace(content, list);
    for await (const event of eventsOf(response.body)) list.append(`${event.type}  ${event.data}\n`);
  } else if (type.includes('json')) {
    replace(content, block(coloured(pretty(await response.json()))));
  } else if (type.startsWith('text/') || type.includes('xml')) {
    replace(content, block([(await response.text()).slice(0, 200_000)]));
  } else if (response.status !== 204) {
    const blob = await response.blob();
    const isPicture = type.startsWith('image/');
    replace(content, isPicture
      ? element('img', { src: URL.createObjectURL(blob), alt: text('docs.answer') })
      : element('button', { type: 'button', class: 'button', on: { click: () => save(blob, 'answer') } }, text('json.save')));
  }
}
