// JSON Schemas for reading: properties with their types, opened one level at a time, and examples made of them.

import { element } from './dom.js';
import { text } from './texts.js';

let schemas = {};
let responses = {};

export function useComponents(components) {
  schemas = components.schemas;
  responses = components.responses;
}

export const schemaNames = () => Object.keys(schemas);
export const schemaNamed = (name) => schemas[name];

const nameIn = (reference) => reference.split('/').pop();

/** What a reference leads to. */
export function resolve(thing) {
  if (!thing?.$ref) return thing;
  return (thing.$ref.includes('/responses/') ? responses : schemas)[nameIn(thing.$ref)];
}

/** A description with its `code` marked. */
export function prose(source) {
  return source.split('\n\n').map((paragraph) =>
    element('p', {}, paragraph.trim().split('`').map((part, index) => (index % 2 ? element('code', {}, part) : part))));
}

/** What a schema is, in a few words; names lead to their descriptions. */
export function typeOf(schema) {
  if (!schema || !Object.keys(schema).length) return [text('docs.anything')];
  if (schema.$ref) return [element('a', { href: `#schema-${nameIn(schema.$ref)}` }, nameIn(schema.$ref))];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.flatMap((choice, index) => (index ? [' | ', ...typeOf(choice)] : typeOf(choice)));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(' | ')];
  if (schema.prefixItems) return ['[', ...schema.prefixItems.flatMap((item, index) => (index ? [', ', ...typeOf(item)] : typeOf(item))), ']'];
  if (schema.type === 'array') return [...typeOf(schema.items), '[]'];
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return ['{', text('docs.name'), ': ', ...typeOf(schema.additionalProperties), '}'];
  const limits = [['minimum', '≥'], ['exclusiveMinimum', '>'], ['maximum', '≤']].filter(([key]) => key in schema).map(([key, sign]) => ` ${sign} ${schema[key]}`);
  const kind = schema.contentMediaType ? text('docs.bytes') : schema.contentEncoding ?? schema.format ?? schema.type;
  return [`${kind ?? ''}${limits.join(',')}`];
}

/** A table of an object's properties. */
export function properties(schema) {
  const entries = Object.entries(schema.properties ?? {});
  if (!entries.length) return element('p', { class: 'type' }, typeOf(schema));
  const required = new Set(schema.required ?? []);
  return element('table', { class: 'properties' },
    element('thead', {}, element('tr', {}, ['name', 'type', 'about'].map((key) => element('th', { scope: 'col' }, text(`docs.${key}`))))),
    element('tbody', {}, entries.map(([name, property]) => element('tr', {},
      element('th', { scope: 'row' }, element('code', {}, name), required.has(name) ? null : element('span', { class: 'optional' }, text('docs.optional'))),
      element('td', { class: 'type' }, typeOf(property)),
      element('td', {}, property.description ?? (property.default === undefined ? '' : text('docs.default', { value: JSON.stringify(property.default) })))))));
}

/** A value that fits a schema. */
export function exampleOf(schema, depth = 0) {
  if (!schema) return null;
  if (schema.$ref) return depth > 6 ? null : exampleOf(resolve(schema), depth + 1);
  if (schema.example !== undefined) return schema.example;
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const choice = (schema.oneOf ?? schema.anyOf)?.find((one) => one.type !== 'null');
  if (choice) return exampleOf(choice, depth);
  if (schema.prefixItems) return schema.prefixItems.map((item) => exampleOf(item, depth + 1));
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items, depth + 1));
  if (schema.properties) {
    const required = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(required.map(([name, property]) => [name, exampleOf(property, depth + 1)]));
  }
  if (schema.type === 'object') return {};
  if (schema.format === 'date-time') return '2026-01-31T09:30:00.000Z';
  if (schema.contentEncoding === 'base64') return 'JVBERi0xLjcK…';
  return { string: 'text', integer: schema.minimum ?? 1, number: schema.minimum ?? 0.5, boolean: true }[schema.type] ?? null;
}
