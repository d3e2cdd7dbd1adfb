import type { IncomingMessage, ServerResponse } from 'node:http';
import { html, type Html } from '../http/html.ts';
import { takeStartForm } from './startForm.ts';
import { openerPolicies, troubles, type Behaviours, type ProviderBehaviour } from '../providers/behaviour.ts';
import { providerTitles } from '../providers/pages.ts';
import { peoplesPassword, personWithoutAccount } from '../providers/people.ts';
import { providerNames, type ProviderName } from '../registration.ts';

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

/** Takes a form of the providers' switches. */
export function takeSwitch(
  behaviours: Behaviours,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return takeStartForm(request, response, '/#providers', (form) => {
    behaviours.change(form);
  });
}
