// The documentation: /openapi.json, to read, to find things in, and to try.

import { json } from './api.js';
import { byId, element, replace } from './dom.js';
import { exampleOf, properties, prose, resolve, schemaNamed, schemaNames, typeOf, useComponents } from './docs_schema.js';
import { tryIt } from './docs_try.js';
import { askForKey } from './key_dialog.js';
import { coloured, pretty } from './source.js';
import { other, setLanguage, startTexts, text } from './texts.js';

let description = null;

function operations() {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: operation.operationId, tag: operation.tags[0] })));
}

function draw() {
  const { name, tag } = other();
  byId('language').textContent = name;
  byId('language').lang = tag;
  if (!description) return;
  const all = operations();
  const tags = description.tags.filter(({ name: one }) => all.some((each) => each.tag === one));
  replace(byId('main'),
    element('header', { class: 'docs-head' },
      element('h1', {}, text('docs.title')),
      element('div', { class: 'docs-about', lang: 'en' }, prose(description.info.description)),
      element('p', { class: 'fine' }, element('a', { href: 'openapi.json' }, 'openapi.json'), ` · OpenAPI ${description.openapi} · ${description.info.version}`)),
    tags.map((each) => element('section', { 'aria-labelledby': `tag-${each.name}`, lang: 'en' },
      element('h2', { id: `tag-${each.name}` }, each.name),
      element('p', { class: 'fine' }, each.description),
      all.filter((one) => one.tag === each.name).map(operationNode))),
    element('section', { 'aria-labelledby': 'schemas', lang: 'en' },
      element('h2', { id: 'schemas' }, text('docs.schemas')),
      schemaNames().map(schemaNode)));
  drawContents(tags, all);
  openTarget();
}

function drawContents(tags, all) {
  const link = ({ id, method, path, operation }) =>
    element('li', { 'data-find': `${method} ${path} ${operation.summary} ${id}`.toLowerCase() },
      element('a', { href: `#${id}` }, element('span', { class: `method ${method}` }, method.toUpperCase()), element('span', { class: 'path' }, path)));
  replace(byId('contents-list'),
    tags.map((tag) => element('section', {}, element('p', { class: 'contents-title' }, tag.name), element('ul', { 'aria-label': tag.name }, all.filter((one) => one.tag === tag.name).map(link)))),
    element('section', {}, element('p', { class: 'contents-title' }, text('docs.schemas')),
      element('ul', { 'aria-label': text('docs.schemas') }, schemaNames().map((name) => element('li', { 'data-find': name.toLowerCase() }, element('a', { href: `#schema-${name}` }, name))))));
  find();
}

/** Opened when it is looked at: the page of all of them would be long. */
function folded(id, className, summary, build) {
  const node = element('details', { id, class: className }, element('summary', {}, summary));
  node.addEventListener('toggle', () => {
    if (node.open && node.childElementCount === 1) node.append(...build());
  });
  return node;
}

function operationNode({ id, method, path, operation }) {
  return folded(id, 'operation',
    [element('span', { class: `method ${method}` }, method.toUpperCase()), element('code', { class: 'path' }, path), element('span', { class: 'operation-summary' }, operation.summary)],
    () => [element('div', { class: 'operation-body' },
      operation.description ? prose(operation.description) : null,
      parameters(operation),
      requestBody(operation),
      answers(operation),
      element('h3', {}, text('docs.try')),
      tryIt(method, path, operation))]);
}

function parameters({ parameters: all }) {
  if (!all) return [];
  return [element('h3', {}, text('docs.parameters')), element('table', { class: 'properties' },
    element('thead', {}, element('tr', {}, ['name', 'type', 'about'].map((key) => element('th', { scope: 'col' }, text(`docs.${key}`))))),
    element('tbody', {}, all.map((parameter) => element('tr', {},
      element('th', { scope: 'row' }, element('code', {}, parameter.name), element('span', { class: 'optional' }, parameter.in)),
      element('td', { class: 'type' }, typeOf(parameter.schema), parameter.schema.default === undefined ? '' : ` = ${parameter.schema.default}`),
      element('td', {}, prose(parameter.description))))))];
}

function requestBody({ requestBody: body }) {
  if (!body) return [];
  return [element('h3', {}, text('docs.body')), element('ul', { class: 'kinds' }, Object.entries(body.content).map(([kind, { schema }]) =>
    element('li', {}, element('code', {}, kind), ' ', element('span', { class: 'type' }, typeOf(schema)), schema.description ? prose(schema.description) : null)))];
}

function answers({ responses, operationId }) {
  return [element('h3', {}, text('docs.answers')), element('div', {}, Object.entries(responses).map(([status, found]) => {
    const response = resolve(found);
    return folded(`${operationId}-${status}`, 'response',
      [element('span', { class: `code s${status[0]}` }, status), element('span', { class: 'response-about' }, prose(response.description))],
      () => Object.entries(response.content ?? {}).map(([kind, media]) => element('div', { class: 'response-content' },
        element('p', {}, element('code', {}, kind), ' ', element('span', { class: 'type' }, typeOf(media.schema))),
        kind.includes('json') ? element('pre', { class: 'source', tabindex: '0', 'aria-label': text('docs.example') }, coloured(pretty(media.example ?? exampleOf(media.schema)))) : null)));
  }))];
}

function schemaNode(name) {
  const schema = schemaNamed(name);
  return folded(`schema-${name}`, 'operation', [element('code', { class: 'path' }, name), element('span', { class: 'operation-summary' }, schema.description?.split('. ')[0] ?? '')],
    () => [element('div', { class: 'operation-body' }, schema.description ? prose(schema.description) : null, properties(schema))]);
}

/** What the address names is opened and shown. */
function openTarget() {
  const node = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!node) return;
  if (node.matches('details')) node.open = true;
  node.scrollIntoView();
  node.querySelector('summary')?.focus({ preventScroll: true });
}

function find() {
  const words = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of document.querySelectorAll('[data-find]')) item.hidden = !words.every((word) => item.dataset.find.includes(word));
  for (const section of byId('contents-list').children) section.hidden = !section.querySelector('li:not([hidden])');
}

byId('find').addEventListener('input', find);
byId('language').addEventListener('click', () => void setLanguage(other().code));
byId('key-open').addEventListener('click', () => askForKey());
document.addEventListener('inklane:language', draw);
addEventListener('hashchange', openTarget);
await startTexts();
try {
  description = await json('openapi.json');
  useComponents(description.components);
  draw();
} catch {
  replace(byId('main'), element('p', { class: 'bad', role: 'alert' }, text('error.unreachable')));
}
document.documentElement.dataset.ready = '';
