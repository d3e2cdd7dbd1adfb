import { html, type Html } from '../http/html.ts';
import type { EnvironmentPage } from '../http/page.ts';
import { peoplesPassword, type Person } from './people.ts';
import type { ProviderName } from '../registration.ts';

/** What a provider calls itself on its pages. */
export const providerTitles: Readonly<Record<ProviderName, string>> = {
  google: 'Google-type provider',
  microsoft: 'Microsoft-type provider',
};

function page(provider: ProviderName, heading: string, content: Html): EnvironmentPage {
  return {
    title: `${heading}: ${providerTitles[provider]}`,
    kind: 'provider',
    body: html`<header><h1>${heading}</h1></header>
      <main>
        ${content}
        <p class="quiet">${providerTitles[provider]} of the local environment.</p>
      </main>`,
  };
}

/** The sign-in page. */
export function signInPage(
  provider: ProviderName,
  { action, email, refused }: { readonly action: string; readonly email: string; readonly refused: boolean },
  people: readonly Person[],
): EnvironmentPage {
  const options = people.map((person) => html`<option value="${person.email}">${person.name}</option>`);
  return page(
    provider,
    'Sign in',
    html`<form method="post" action="${action}" class="card">
      ${refused ? html`<p role="alert">There is nobody here with this e-mail and password.</p>` : ''}
      <p>
        <label for="email">E-mail</label>
        <input
          id="email"
          name="email"
          type="email"
          value="${email}"
          list="people"
          required
          autocomplete="username"
        />
        <datalist id="people">${options}</datalist>
      </p>
      <p>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" required autocomplete="current-password" />
      </p>
      <p class="quiet">Everybody here has the password <code class="whole">${peoplesPassword}</code></p>
      <p class="actions">
        <button name="answer" value="sign-in">Sign in</button>
        <button name="answer" value="cancel" formnovalidate>Cancel</button>
      </p>
    </form>`,
  );
}

/** The consent page. */
export function consentPage(
  provider: ProviderName,
  { action, person }: { readonly action: string; readonly person: Person },
): EnvironmentPage {
  return page(
    provider,
    'Vestibule wants to know who you are',
    html`<form method="post" action="${action}" class="card">
      <p>
        You are signed in as <strong>${person.email}</strong>. Vestibule will see your name and your e-mail
        address.
      </p>
      <p class="actions">
        <button name="answer" value="allow">Allow</button>
        <button name="answer" value="other">Use another account</button>
        <button name="answer" value="cancel">Cancel</button>
      </p>
    </form>`,
  );
}

/** The error page. */
export function problemPage(provider: ProviderName, problem: string, detail: string): EnvironmentPage {
  return page(
    provider,
    'This does not work',
    html`<div class="card">
      <p>${detail === '' ? 'Close this window and start again.' : detail}</p>
      <p class="quiet"><code>${problem}</code></p>
    </div>`,
  );
}
