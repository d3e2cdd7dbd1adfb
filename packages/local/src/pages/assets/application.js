// @ts-check
// A demo application of the family: who is signed in, since when, what they may reach.
import { readSession, signOut, verifiedClaims } from './session.js';

const { prefix = '', domain = '', login = '' } = document.body.dataset;

/** Fills a slot of the page with text; never with markup. */
function write(/** @type {string} */ slot, /** @type {string} */ text) {
  const element = document.querySelector(`[data-slot="${slot}"]`);
  if (element !== null) element.textContent = text;
}

async function show() {
  const session = readSession(prefix);
  /** @type {State} */
  const state = session === null ? { kind: 'signed-out' } : await check(session.token);
  document.body.dataset['state'] = state.kind;
  if (state.kind === 'refused') write('problem', state.problem);
  if (state.kind !== 'signed-in') return;
  const { firstName, email, username, exp, personas } = state.claims;
  write('name', firstName);
  write('email', email);
  write('username', username);
  write('expires', new Date(exp * 1000).toLocaleTimeString());
  write('personas', Object.keys(personas).join(', ') || 'none');
}

/**
 * @typedef {{ kind: 'signed-in', claims: import('./session.js').Claims } | { kind: 'refused', problem: string }
 *   | { kind: 'signed-out' }} State
 */

/** @returns {Promise<State>} */
async function check(/** @type {string} */ token) {
  try {
    return { kind: 'signed-in', claims: await verifiedClaims(token) };
  } catch (error) {
    return { kind: 'refused', problem: error instanceof Error ? error.message : String(error) };
  }
}

for (const link of document.querySelectorAll('a[data-sign-in]')) {
  link.setAttribute('href', `${login}/login?url=${encodeURIComponent(location.href)}`);
}
for (const button of document.querySelectorAll('button[data-sign-out]')) {
  button.addEventListener('click', () => {
    signOut(prefix, domain);
    void show();
  });
}
// Signed in or out elsewhere meanwhile: look again whenever the person comes back to this page.
addEventListener('pageshow', () => void show());
document.addEventListener('visibilitychange', () => void show());
addEventListener('vestibule:changed', () => void show());
