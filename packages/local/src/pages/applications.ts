import { familyDomain, originOf } from '../hosts.ts';
import { cookiePrefix } from '../environmentConfig.ts';
import { html, type Html } from '../http/html.ts';
import type { EnvironmentPage } from '../http/page.ts';

/** The ledger: a sibling application that reads the shared cookie. */
export function ledgerPage(port: number, extensions: readonly string[]): EnvironmentPage {
  return {
    title: 'Ledger',
    kind: 'ledger',
    data: sessionFacts(port, extensions),
    scripts: ['ledger.js'],
    connects: [originOf('api', port)],
    frames: [originOf('app', port)],
    body: html`${heading('Ledger', port)}
      <main>${whoIsSignedIn(port)} ${extensions.includes('confirmations') ? payment : ''}</main>`,
  };
}

/** The hub: a sibling application that also embeds the sign-on page and receives its messages about tokens. */
export function hubPage(port: number, extensions: readonly string[]): EnvironmentPage {
  return {
    title: 'Supplier Hub',
    kind: 'hub',
    data: sessionFacts(port, extensions),
    scripts: ['hub.js'],
    connects: [originOf('api', port)],
    frames: [originOf('app', port)],
    body: html`${heading('Supplier Hub', port)}
      <main>
        ${whoIsSignedIn(port)} ${messages}
        <h2>Sign in without leaving this page</h2>
      </main>`,
  };
}

/**
 * A parent of another site: the partner is on the list of parents (its cookies and channels are partitioned), the
 * unlisted one is not and must not be able to show the page at all.
 */
export function foreignParentPage(kind: 'partner' | 'unlisted', port: number): EnvironmentPage {
  const title =
    kind === 'partner' ? 'Partner (another site, on the list)' : 'Unlisted (another site, not on the list)';
  return {
    title,
    kind: 'parent',
    data: addresses(port),
    scripts: ['partner.js'],
    frames: [originOf('app', port)],
    body: html`<header><h1>${title}</h1></header>
      <main>${messages}</main>`,
  };
}

function sessionFacts(port: number, extensions: readonly string[]): Readonly<Record<string, string>> {
  return { prefix: cookiePrefix, domain: familyDomain, extensions: extensions.join(' '), ...addresses(port) };
}

function addresses(port: number): Readonly<Record<string, string>> {
  return { 'sign-on-url': originOf('app', port), 'service-url': originOf('api', port) };
}

function heading(title: string, port: number): Html {
  return html`<header>
    <h1>${title}</h1>
    <nav>
      <a href="${originOf('ledger', port)}/">Ledger</a>
      <a href="${originOf('hub', port)}/">Supplier Hub</a>
      <a href="${originOf('app', port)}/account-settings">Account settings</a>
      <a href="${originOf('start', port)}/">Start page</a>
    </nav>
  </header>`;
}

function whoIsSignedIn(port: number): Html {
  return html`<section class="card" aria-live="polite">
    <div data-when="signed-in">
      <p>Signed in as <strong data-slot="name"></strong>.</p>
      <dl>
        <dt>E-mail</dt>
        <dd data-slot="email"></dd>
        <dt>Username</dt>
        <dd data-slot="username"></dd>
        <dt>Applications</dt>
        <dd data-slot="personas"></dd>
        <dt>Token good until</dt>
        <dd data-slot="expires"></dd>
      </dl>
      <button type="button" data-sign-out>Sign out</button>
    </div>
    <div data-when="signed-out">
      <p>Nobody is signed in.</p>
      <p data-slot="reason"></p>
    </div>
    <div data-when="refused">
      <p>
        There is a session cookie, but this application does not trust it: <span data-slot="problem"></span>
      </p>
      <button type="button" data-sign-out>Sign out</button>
    </div>
    <p data-when="signed-out refused">
      <a class="button" data-sign-in href="${originOf('app', port)}/login">Sign in</a>
    </p>
  </section>`;
}

/** A payment that the user confirms with the extension `confirmations`. */
const payment = html`<section class="card" aria-live="polite" data-when="signed-in">
  <h2>Invoice 2026-114</h2>
  <p>€149.90 to Northwind GmbH</p>
  <button type="button" data-pay>Pay</button>
  <button type="button" data-pay-here>Pay here</button>
  <p data-slot="outcome"></p>
  <p data-slot="heard"></p>
</section>`;

const messages = html`<h2>Messages from the sign-on page</h2>
  <ol data-slot="messages"></ol>`;
