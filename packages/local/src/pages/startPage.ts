import type { Service } from '@vestibule/service';
import { totpCode } from '@vestibule/service';
import type { ReadyAccount } from '../accounts.ts';
import { hostsLine, originOf, type HostRole } from '../hosts.ts';
import type { ReadyLink } from '../links/readyLinks.ts';
import type { Behaviours } from '../providers/behaviour.ts';
import { embeddedApplications } from '../environmentConfig.ts';
import { html, type Html } from '../http/html.ts';
import type { EnvironmentPage } from '../http/page.ts';
import { switchForms } from './switches.ts';
import { linkList } from './linkList.ts';

/** What the bundled service adds to the page. */
export interface BundledLists {
  readonly accounts: readonly ReadyAccount[];
  readonly appCodes: readonly AppCode[];
  readonly links: readonly ReadyLink[];
}

/** The first page that a newcomer sees: where everything is, and whom to sign in as. */
export function startPage(
  port: number,
  behaviours: ReturnType<Behaviours['all']>,
  bundled: BundledLists | null,
): EnvironmentPage {
  return {
    title: 'Vestibule: the local environment',
    kind: 'start',
    body: html`<header>
        <h1>Vestibule</h1>
        <nav>
          ${link(port, 'app', '/login', 'Sign in')} ${link(port, 'ledger', '/', 'Ledger')}
          ${link(port, 'hub', '/', 'Supplier Hub')}
          ${bundled === null ? '' : html`${link(port, 'reports', '/', 'Reports')} ${link(port, 'outbox', '/', 'Outbox')}`}
        </nav>
      </header>
      <main>
        ${bundled === null ? html`<p>The sign-on application runs here in front of your service.</p>` : bundledLists(port, bundled)}
        <h2 id="providers">What the providers do</h2>
        ${switchForms(behaviours)}
        <h2>Session cookies that a sibling application may leave behind</h2>
        ${plantedLinks(port)}
        <h2>What the header can look like</h2>
        ${lookLinks(port)}
        <h2>Where a redirect may lead</h2>
        ${redirectLinks(port)}
        <h2>Inside a parent's frame</h2>
        ${parentLinks(port)}
        <h2>If the browser finds none of these addresses</h2>
        <p>
          Add this line to <code>/etc/hosts</code>, on Windows
          <code>C:\\Windows\\System32\\drivers\\etc\\hosts</code>:
        </p>
        <pre>${hostsLine}</pre>
      </main>`,
  };
}

function bundledLists(port: number, { accounts, appCodes, links }: BundledLists): Html {
  return html`<p>
      Everything here runs on this machine: the sign-on application, a real sign-on service, two OpenID
      providers, two applications that share the session, and an outbox for the text messages and e-mails that
      the service sends.
    </p>
    <h2>Accounts, one for each journey</h2>
    ${accountTable(port, accounts)}
    <h2>What the authenticator apps show</h2>
    ${codeList(appCodes)}
    <h2 id="links">Links, as they are mailed</h2>
    ${linkList(links)}`;
}

function accountTable(port: number, accounts: readonly ReadyAccount[]): Html {
  const rows = accounts.map(
    ({ journey, expectation, username, account }) =>
      html`<tr>
        <td>${journey}</td>
        <td><code>${username}</code></td>
        <td>${password(account)}</td>
        <td>${expectation}</td>
      </tr> `,
  );
  return html`<p>${link(port, 'app', '/login', 'Open the sign-in page')} and type one of these.</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Journey</th>
            <th>Username</th>
            <th>Password</th>
            <th>What to expect</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function codeList(appCodes: readonly AppCode[]): Html {
  const codes = appCodes.map(
    ({ username, code }) => html`<li><code>${username}</code>: <code class="whole">${code}</code></li> `,
  );
  return html`<p>
      Each code counts once, for about half a minute; load this page again for the next. Codes of text
      messages are in the outbox.
    </p>
    <ul>
      ${codes}
    </ul>`;
}

function password(account: ReadyAccount['account']): Html {
  const text = account?.password ?? null;
  return text === null ? html`<span class="quiet">none</span>` : html`<code class="whole">${text}</code>`;
}

function plantedLinks(port: number): Html {
  return html`<ul>
    <li>
      ${link(port, 'ledger', '/plant/malformed', 'A malformed session cookie')}, set by the Ledger: the
      sign-in page removes it and shows the form.
    </li>
    <li>${link(port, 'ledger', '/plant/expired', 'An expired session')}: cleared, and the form is shown.</li>
    <li>
      ${link(port, 'ledger', '/plant/hidden', 'Session cookies that no script can remove')} (HttpOnly): the
      host of the sign-in page expires them when somebody signs in.
    </li>
    <li>
      ${link(port, 'ledger', '/plant/none', 'No session at all')}: takes the family's session cookies away.
    </li>
  </ul>`;
}

function lookLinks(port: number): Html {
  const { ledger, treasury } = embeddedApplications;
  return html`<ul>
    <li>${link(port, 'app', '/login', 'Default')}</li>
    <li>${link(port, 'app', '/login?supplierHub=true', 'Supplier hub')}</li>
    <li>${link(port, 'app', `/login?application=${ledger}`, 'Embedded application: Ledger')}</li>
    <li>${link(port, 'app', `/login?application=${treasury}`, 'Embedded application: Treasury')}</li>
    <li>
      ${link(port, 'app', '/login?application=e-pay', 'e-Pay, by name')} (also
      ${link(port, 'app', '/login?application=epay', 'spelled epay')})
    </li>
    <li>${link(port, 'suppliers', '/login', 'e-Pay, by the suppliers’ host')}</li>
  </ul>`;
}

function redirectLinks(port: number): Html {
  const wanted = `${originOf('hub', port)}/?from=url`;
  return html`<ul>
    <li>
      ${link(port, 'app', `/login?url=${encodeURIComponent(wanted)}`, 'To the Supplier Hub')}: on the list, so
      it wins over the account’s own application.
    </li>
    <li>
      ${link(port, 'app', `/login?url=${encodeURIComponent('https://example.com/')}`, 'To example.com')}: not
      on the list, so it is as if it had not been given.
    </li>
  </ul>`;
}

function parentLinks(port: number): Html {
  return html`<ul>
    <li>${link(port, 'hub', '/', 'Supplier Hub')}: same site, on the list of parents.</li>
    <li>${link(port, 'partner', '/', 'Partner')}: another site, on the list.</li>
    <li>
      ${link(port, 'unlisted', '/', 'Unlisted')}: another site, not on the list; the browser refuses the
      frame.
    </li>
  </ul>`;
}

function link(port: number, role: HostRole, path: string, text: string): Html {
  return html`<a href="${originOf(role, port)}${path}">${text}</a>`;
}

/** What the authenticator app of an account on the list shows at the moment. */
interface AppCode {
  readonly username: string;
  readonly code: string;
}

/**
 * The codes of the accounts on the list that have an authenticator app now, ready-made or set up since, so that
 * it can be tried without a phone.
 */
export async function appCodesOf(
  service: Service,
  accounts: readonly ReadyAccount[],
  now: number,
): Promise<readonly AppCode[]> {
  const present = await Promise.all(
    accounts.map(({ username }) => service.directory.accounts.find(username)),
  );
  return present.flatMap((account) =>
    account?.mfa?.type === 'mfa'
      ? [{ username: account.username, code: totpCode(account.mfa.secret, now) }]
      : [],
  );
}
