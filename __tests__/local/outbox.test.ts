/** @jest-environment node */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openOutbox } from '../../local/outbox';
import { outboxPage } from '../../local/pages/outboxPage';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vestibule-outbox-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const mail = {
  to: 'ada@payments.example',
  subject: 'Reset <your> password',
  text: 'Go to http://login.payments.localhost:4000/reset-password/a_b-c?x=1&y=2 or http://example.com/ now.',
  html: '<p>Go</p>',
};

describe('the outbox', () => {
  test('keeps text messages and mails, newest first, over a restart', async () => {
    const file = path.join(folder, 'deep', 'outbox.json');
    const outbox = await openOutbox(file);
    await Promise.all([
      outbox.sendTextMessage({ to: '+12025550143', text: '123456 is your code.' }),
      outbox.sendMail(mail),
    ]);
    const again = await openOutbox(file);
    expect(again.messages()).toMatchObject([
      { id: 2, kind: 'mail', ...mail },
      { id: 1, kind: 'text', to: '+12025550143', text: '123456 is your code.' },
    ]);
    await again.sendTextMessage({ to: '+12025550143', text: 'Another.' });
    expect(again.messages()[0]).toMatchObject({ id: 3, text: 'Another.' });
  });

  test('is empty once cleared, after a restart too', async () => {
    const file = path.join(folder, 'outbox.json');
    const outbox = await openOutbox(file);
    await outbox.sendMail(mail);
    await outbox.clear();
    expect(outbox.messages()).toStrictEqual([]);
    expect((await openOutbox(file)).messages()).toStrictEqual([]);
  });

  test('starts empty on a file that is not one of its own', async () => {
    const file = path.join(folder, 'outbox.json');
    await writeFile(file, '{"messages":[{"kind":"pigeon"}]}');
    const outbox = await openOutbox(file);
    expect(outbox.messages()).toStrictEqual([]);
  });

  test('shows what was sent as text; only addresses of the local world become links', async () => {
    const outbox = await openOutbox(null);
    await outbox.sendMail({ ...mail, text: `${mail.text} <img src=x onerror=alert(1)>` });
    const { markup } = outboxPage(4000, outbox.messages()).body;
    expect(markup).toContain('Reset &lt;your&gt; password');
    expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(markup).not.toContain('<img');
    expect(/<pre>[\s\S]*<\/pre>/.exec(markup)?.[0].match(/href="[^"]*"/g)).toStrictEqual([
      'href="http://login.payments.localhost:4000/reset-password/a_b-c?x=1&amp;y=2"',
    ]);
  });
});
