// Calls of the service: keys, problems (RFC 9457), jobs and their events.

const STORED = 'inklane.key';
let key = '';
try {
  key = sessionStorage.getItem(STORED) ?? '';
} catch {
  // Storage is refused in some private windows; the key is then asked for once a page.
}

/** The key is kept for this tab alone. */
export function setKey(value) {
  key = value.trim();
  try {
    if (key) sessionStorage.setItem(STORED, key);
    else sessionStorage.removeItem(STORED);
  } catch {
    // See above.
  }
}

/** What went wrong, as the service said it. */
export class Problem extends Error {
  constructor({ status = 0, code = 'unreachable', title = '', detail = '', request_id: requestId = '', retryAfter = 0 }) {
    super(detail || title || code);
    Object.assign(this, { status, code, title, requestId, retryAfter });
  }
}

/** Headers with the key, if there is one. */
export const withAuthorization = (headers = {}) => (key ? { ...headers, Authorization: `Bearer ${key}` } : headers);

/** A response that succeeded. Throws `Problem`, or `AbortError` where the signal was given up. */
export async function call(path, { headers = {}, ...options } = {}) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: withAuthorization(headers) });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem({});
  }
  if (response.ok) return response;
  throw await problemOf(response);
}

export const json = async (path, options) => (await call(path, options)).json();

async function problemOf(response) {
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  const said = await response.json().catch(() => ({}));
  return new Problem({ code: 'failed', title: response.statusText, ...said, status: response.status, retryAfter });
}

/**
 * Reads a file through a job, so that pages can be watched; a service without jobs answers at once.
 *
 * @param {File} file
 * @param {{type: string, words: boolean, signal: AbortSignal, onProgress: (progress: object) => void}} options
 */
export async function read(file, { type, words, signal, onProgress }) {
  const query = new URLSearchParams({ type, ...(words ? { words: 'true' } : {}) });
  const form = new FormData();
  form.append('file', file, file.name);
  const response = await call(`v1/documents?${query}`, {
    method: 'POST',
    body: form,
    headers: { Prefer: 'respond-async', Accept: 'application/json' },
    signal,
  });
  if (response.status !== 202) return response.json();
  const place = response.headers.get('Location');
  const stop = () => void call(place, { method: 'DELETE', keepalive: true }).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    await follow(place, signal, onProgress);
    const job = await ended(place, signal);
    const [only] = job.files;
    if (only.error) throw new Problem({ status: 422, code: only.error.code, detail: only.error.message });
    if (job.state === 'cancelled') throw new Problem({ code: 'cancelled' });
    return await json(only.result ?? job.result, { signal });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Follows a job's events to its end; a stream that breaks is taken up again where it stopped. */
async function follow(place, signal, onProgress) {
  let last = '';
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      const response = await call(`${place}/events`, {
        headers: { Accept: 'text/event-stream', ...(last ? { 'Last-Event-ID': last } : {}) },
        signal,
      });
      for await (const event of eventsOf(response.body)) {
        attempt = 0;
        if (event.id) last = event.id;
        if (event.type === 'progress') onProgress(JSON.parse(event.data));
        else if (event.type === 'state') tellState(JSON.parse(event.data), onProgress);
        else if (event.type === 'end') return;
      }
    } catch (error) {
      if (error.name === 'AbortError' || error.status) throw error;
    }
    await pause(200 * 2 ** attempt, signal);
  }
}

/** Where a stream begins, or has lost events, the job says how far it is. */
function tellState({ files: [only] }, onProgress) {
  if (only.stage) onProgress(only);
}

/** The job when it is over: events may be lost, its state is not. */
async function ended(place, signal) {
  for (;;) {
    const job = await json(`${place}?results=false`, { signal });
    if (job.state !== 'queued' && job.state !== 'running') return job;
    await pause(500, signal);
  }
}

/** Server-sent events of a body, without EventSource, which cannot send a key. */
export async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const blocks = rest.replace(/\r\n?/g, '\n').split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const event = { type: 'message', data: '', id: '' };
        for (const line of block.split('\n')) {
          const [, field, content] = /^([^:]*):? ?(.*)$/.exec(line);
          if (field === 'data') event.data += event.data ? `\n${content}` : content;
          else if (field === 'event') event.type = content;
          else if (field === 'id') event.id = content;
        }
        if (event.data) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('given up', 'AbortError'));
    }, { once: true });
  });
}
