import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import * as v from 'valibot';
import { expect, test as base } from './support/test';
import { users } from './support/users';

/** One request that reached the collector, preflights apart. */
interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A collector of reports as browsers need it, on a host of the family, which gets the family's cookies wherever the page sends them. */
async function startCollector() {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'content-type');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST')
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { received, server, url: `http://reports.payments.localhost:${String(port)}/in?from=login` };
}

type Collector = Awaited<ReturnType<typeof startCollector>>;

const test = base.extend<object, { readonly collector: Collector }>({
  collector: [
    async ({}, use) => {
      const collector = await startCollector();
      await use(collector);
      collector.server.close();
    },
    { scope: 'worker' },
  ],
  reportsTo: [async ({ collector }, use) => await use(collector.url), { scope: 'worker' }],
});

const secret = 'marked-5ecret';
const bodySchema = v.strictObject({
  where: v.string(),
  name: v.string(),
  stack: v.array(v.pipe(v.string(), v.regex(/^[\w-]+(?:\.[0-9a-f]{8})?\.js:\d+:\d+$/))),
  route: v.string(),
  release: v.string(),
  environment: v.literal('local'),
});
const reportsSchema = v.tuple([
  v.strictObject({
    type: v.literal('page-error'),
    age: v.literal(0),
    url: v.string(),
    user_agent: v.string(),
    body: bodySchema,
  }),
]);

/** The one report that has arrived. */
async function onlyReport({ received }: Collector) {
  await expect.poll(() => received.length, { message: 'reports' }).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  expect(JSON.stringify(headers) + body).not.toContain(secret);
  const [report] = v.parse(reportsSchema, JSON.parse(body));
  expect(report.body.stack.join(' '), 'places in the build').toMatch(/\bmain\.[0-9a-f]{8}\.js:\d+:\d+/);
  return { headers, report };
}

/** A browser in which reading the query fails, with a message that quotes what it should not. */
async function breakQueries(page: Page): Promise<void> {
  await page.addInitScript((text) => {
    URLSearchParams.prototype.get = () => {
      throw new TypeError(`cannot read ${text} of ${location.href}`);
    };
  }, secret);
}

test.beforeEach(({ collector, pageFaults }) => {
  collector.received.length = 0;
  pageFaults.allow(/./);
});

test.describe('A page that crashes, where reports are collected', () => {
  test('tells where in the code, and neither the link of its address nor a cookie', async ({
    page,
    environment,
    collector,
    signedInAs,
  }) => {
    await signedInAs(users.several);
    await breakQueries(page);
    await page.goto(`/reset-password/${secret}?url=${secret}#${secret}`);
    await expect(page.getByRole('alert')).toContainText('An unexpected error occurred.');
    const { headers, report } = await onlyReport(collector);
    expect(report.url).toBe(`${environment.origin('app')}/reset-password/:hash`);
    expect(report.body).toMatchObject({ name: 'TypeError', route: '/reset-password/:hash' });
    expect(headers).toMatchObject({
      'content-type': 'application/reports+json',
      origin: environment.origin('app'),
    });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('referer');
    expect(headers).not.toHaveProperty('authorization');
  });

  test(
    'tells of an error that nothing caught once, and of none that is not its own',
    { tag: '@long' },
    async ({ page, login, collector, environment }) => {
      await login.open();
      await expect(login.username).toBeVisible();
      // Later than the list of passkeys, which reads the visibility too.
      await expect.poll(() => environment.calls('POST /auth/v1/passkeys/sign-in/options')).not.toEqual([]);
      await page.evaluate((text) => {
        Object.defineProperty(document, 'visibilityState', {
          get: () => {
            throw new TypeError(text);
          },
        });
        setTimeout(() => {
          throw new Error(text);
        });
        setTimeout(() => {
          for (const _time of [1, 2]) document.dispatchEvent(new Event('visibilitychange'));
        }, 100);
      }, secret);
      const { report } = await onlyReport(collector);
      expect(report.body).toMatchObject({ where: 'unhandled', name: 'TypeError', route: '/login' });
      await login.typeUsername(users.ada);
      await expect(login.username).toHaveValue(users.ada);
      expect(collector.received).toHaveLength(1);
    },
  );

  test(
    'asks for the code of a report once, where it cannot be had',
    { tag: '@long' },
    async ({ page, login }) => {
      let times = 0;
      await page.route(/\/assets\/crash\.\w+\.js$/, async (route) => {
        times += 1;
        await route.abort();
      });
      await login.open();
      await expect(login.username).toBeVisible();
      await page.evaluate(async () => {
        for (let time = 0; time < 10; time += 1) {
          void Promise.reject(new Error('a fault'));
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      });
      // A chunk that fails is tried once more.
      expect(times).toBe(2);
    },
  );
});
