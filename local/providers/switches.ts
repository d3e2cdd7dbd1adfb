import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { answerText, readBody } from '../answer';
import { html, type Html } from '../pages/html';
import { openerPolicies, troubles, type Behaviours, type ProviderBehaviour } from './behaviour';
import { providerTitles } from './pages';
import { peoplesPassword, personWithoutAccount } from './people';
import { providerNames, type ProviderName } from './registration';

const troubleWords: Readonly<Record<ProviderBehaviour['trouble'], string>> = {
  none: 'works',
  refuse: 'refuses consent, whatever the person answers',
  'wrong-state': 'answers with a wrong state',
  stale: 'says that the person signed in an hour ago',
  hang: 'never answers',
  down: 'is down',
};

/** The providers' switches, as forms of the start page. */
export function switchForms(behaviours: ReturnType<Behaviours['all']>): Html {
  return html`<p>
      Everybody of the list above can sign in at both providers, with the password
      <code>${peoplesPassword}</code>; <code>${personWithoutAccount}</code> can too, and has no account here.
    </p>
    ${providerNames.map((name) => switchForm(name, behaviours[name]))}`;
}

function switchForm(name: ProviderName, { trouble, openerPolicy }: ProviderBehaviour): Html {
  return html`<form method="post" action="/providers" class="card actions">
    <input type="hidden" name="provider" value="${name}" />
    <label>
      The ${providerTitles[name]}
      <select name="trouble">
        ${troubles.map((value) => option(value, troubleWords[value], value === trouble))}
      </select>
    </label>
    <label>
      with Cross-Origin-Opener-Policy
      <select name="openerPolicy">
        ${openerPolicies.map((value) => option(value, value, value === openerPolicy))}
      </select>
    </label>
    <button>Switch</button>
  </form> `;
}

function option(value: string, words: string, selected: boolean): Html {
  return selected
    ? html`<option value="${value}" selected>${words}</option>`
    : html`<option value="${value}">${words}</option>`;
}

const formLimitBytes = 1024;

/** Takes a form of the start page. */
export async function takeSwitch(
  behaviours: Behaviours,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A page of another origin can send a form here; its origin gives it away.
  if (request.headers.origin !== `http://${request.headers.host ?? ''}`) {
    answerText(response, 403, 'Only the start page has these switches.');
    return;
  }
  const form = new URLSearchParams((await readBody(request, formLimitBytes)).toString('utf8'));
  try {
    behaviours.change(Object.fromEntries(form));
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    answerText(response, 400, error.message);
    return;
  }
  response
    .writeHead(303, { Location: '/#providers', 'Cache-Control': 'no-store', 'Content-Length': '0' })
    .end();
}
