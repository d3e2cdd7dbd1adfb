import type { Verifier } from '@vestibule/client/server';
import type { Service } from '@vestibule/service';
import { ensureAccounts, lockedUsername, type ReadyAccount } from './accounts.ts';
import { originOf, requestUrl, type HostRole } from './hosts.ts';
import { send, sendJson, sendText, redirect, type HostHandler } from './http/send.ts';
import type { ReadyLinks } from './links/readyLinks.ts';
import type { EnvironmentOutbox } from './outbox.ts';
import { demoScript } from './pages/demoScripts.ts';
import { openIdApplication } from './pages/openIdApplication.ts';
import { foreignParentPage, hubPage, ledgerPage } from './pages/applications.ts';
import { takeLinkForm } from './pages/linkList.ts';
import { outboxPage } from './pages/outboxPage.ts';
import { pageHeaders, sendPageFile, sendEnvironmentPage, type EnvironmentPage } from './http/page.ts';
import { paymentEventPath } from './clients.ts';
import { payments } from './pages/payments.ts';
import { plantCookies } from './pages/plantedCookies.ts';
import { appCodesOf, startPage, type BundledLists } from './pages/startPage.ts';
import type { Behaviours } from './providers/behaviour.ts';
import { takeSwitch } from './pages/switches.ts';

/** What the environment's own pages are made from. */
interface EnvironmentFacts {
  readonly port: number;
  /** The extensions that the service offers. */
  readonly extensions: readonly string[];
  readonly behaviours: Behaviours;
  /** Verifies the tokens of the service. */
  readonly verifier: Verifier;
  /** `null` in front of a service of a team's own. */
  readonly bundled: BundledFacts | null;
}

/** What only the bundled service has. */
interface BundledFacts {
  readonly service: Service;
  readonly accounts: readonly ReadyAccount[];
  readonly outbox: EnvironmentOutbox;
  readonly links: ReadyLinks;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The hosts with the environment's own pages: start page, demo applications, parents, outbox. */
export function environmentPages(facts: EnvironmentFacts): Readonly<Partial<Record<HostRole, HostHandler>>> {
  const { port, extensions, behaviours, verifier, bundled } = facts;
  const application = (page: EnvironmentPage): HostHandler =>
    pages(facts, {
      '/': (_request, response) => {
        sendEnvironmentPage(response, page);
      },
      // The server of a demo application: it trusts a token only after it has verified it.
      '/me': async (request, response) => {
        const verified = await verifier.verify(request.headers.authorization);
        if (!verified.ok) {
          sendJson(response, 401, { problem: verified.reason });
          return;
        }
        const { firstName, email, username, personas, exp } = verified.claims;
        sendJson(response, 200, {
          ...{ name: firstName, email, username, personas: Object.keys(personas).join(', ') },
          expires: new Date(exp * 1000).toLocaleTimeString(),
        });
      },
    });
  const ledger = application(ledgerPage(port, extensions));
  const payment = payments(port, verifier);
  const start = pages(facts, {
    '/': async (_request, response) => {
      sendEnvironmentPage(
        response,
        startPage(port, behaviours.all(), bundled === null ? null : await shown(bundled)),
      );
    },
  });
  return {
    start: (request, response) => {
      const posted = request.method === 'POST' ? requestUrl(request).pathname : null;
      if (posted === '/providers') return takeSwitch(behaviours, request, response);
      if (posted === paymentEventPath) return payment.hear(request, response);
      if (posted === '/links' && bundled !== null) return takeLinkForm(bundled.links, request, response);
      return start(request, response);
    },
    ledger: (request, response) => {
      const { pathname } = requestUrl(request);
      if (pathname === '/payment') return payment.pay(request, response);
      const planted = /^\/plant\/([a-z]+)$/.exec(pathname)?.[1];
      if (planted === undefined) return ledger(request, response);
      plantCookies(response, planted, port);
    },
    hub: application(hubPage(port, extensions)),
    partner: application(foreignParentPage('partner', port)),
    unlisted: application(foreignParentPage('unlisted', port)),
    ...(bundled === null
      ? {}
      : { outbox: outboxHost(facts, bundled), reports: pages(facts, openIdApplication(port)) }),
  };
}

/** What the start page lists of the bundled service. */
async function shown({ service, accounts, links, now }: BundledFacts): Promise<BundledLists> {
  // A lockout ends after minutes; the account must match the list.
  await service.directory.accounts.lock(lockedUsername, { isRecorded: false });
  return { accounts, appCodes: await appCodesOf(service, accounts, now()), links: await links.all() };
}

function outboxHost(facts: EnvironmentFacts, { outbox }: BundledFacts): HostHandler {
  return pages(facts, {
    '/': (_request, response) => {
      sendEnvironmentPage(response, outboxPage(facts.port, outbox.messages()));
    },
    '/messages.json': (_request, response) => {
      sendJson(response, 200, { messages: outbox.messages() });
    },
  });
}

/** Restores an environment's accounts: all exist, and the locked one is locked. */
export async function seed(service: Service, accounts: readonly ReadyAccount[]): Promise<void> {
  const { directory } = service;
  await ensureAccounts(directory.accounts, accounts);
  await directory.accounts.lock(lockedUsername, { isRecorded: false });
}

/** A host with a few pages, and the files that they load below `/local/`. */
function pages(facts: EnvironmentFacts, routes: Readonly<Record<string, HostHandler>>): HostHandler {
  const known = new Map(Object.entries(routes));
  return async (request, response) => {
    const { pathname } = requestUrl(request);
    const route = known.get(pathname);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendText(response, 405, 'Only GET and HEAD.', { Allow: 'GET, HEAD' });
      return;
    }
    if (route !== undefined) {
      await route(request, response);
      return;
    }
    const script = pathname.startsWith('/local/') ? demoScript(pathname.slice(7)) : null;
    if (script !== null) {
      send(response, 200, { 'Content-Type': 'text/javascript; charset=utf-8', ...pageHeaders() }, script);
      return;
    }
    if (sendPageFile(response, pathname)) return;
    if (request.headers['sec-fetch-mode'] === 'navigate' && !pathname.startsWith('/local/'))
      redirect(response, '/');
    else sendText(response, 404, `Not found. The start page is ${originOf('start', facts.port)}`);
  };
}
