import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ada } from '../support/testService.ts';
import { Application, Browser, createListener, reports, startProvider } from './application.ts';

it('an application that hangs delays the logout tokens of no other', async () => {
  const asked: string[] = [];
  const hanging = createServer(({ url = '' }) => asked.push(url)).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const { port } = hanging.address() as AddressInfo;
  const listener = createListener();
  const service = await startProvider([
    { ...reports, id: 'hangs', url: undefined, backchannelLogoutUri: `http://127.0.0.1:${port}/hangs` },
    { ...reports, backchannelLogoutUri: await listener.start() },
  ]);
  await service.write();
  const [hangs, answers] = [new Application(service, 'hangs'), new Application(service)];
  for (let count = 0; count < 12; count += 1) {
    const browser = new Browser(service);
    await browser.signIn();
    await hangs.tokens(browser);
    if (count === 11) await answers.tokens(browser);
  }
  await service.directory.accounts.endSessions(ada);
  await listener.until(1);
  while (asked.length < 5) await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(Array<string>(5).fill('/hangs'));
  hanging.close().closeAllConnections();
  await service.close();
  await listener.stop();
});
