import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';
import { mailSender, smtpMail } from '../src/index.ts';
import { linkSettings } from '../src/core/settings/linkOptions.ts';
import { writeMail } from '../src/platform/mails/letter.ts';
import { invitationLetter, passwordChangedLetter, resetLetter } from '../src/core/mails/letters.ts';
import { newPassword } from './support/links.ts';
import { type Mailbox, openMailbox } from './support/mailbox.ts';
import { ada, startTestService, type TestService } from './support/testService.ts';

const links = linkSettings(undefined, ['https://login.example.com']);
const delivery = { id: '0b9f', lifeSeconds: null };
const link = { url: 'https://login.example.com/reset-password/abc', seconds: 3600 };

describe('a mail', () => {
  it('has the same content as text and as HTML', () => {
    const to = { firstName: 'Ada', username: ada };
    const mail = writeMail(ada, resetLetter(to, link, links), 'en');
    expect(mail.text).toBe(
      [
        'Hello Ada,',
        'Someone asked to reset the password of your account ada@example.com at login.example.com. If it was you, choose a new password here:',
        'https://login.example.com/reset-password/abc',
        'The link works once, for 1 hour. Earlier links no longer work.',
        'If it was not you, do nothing: your password stays as it is.\n',
      ].join('\n\n'),
    );
    const words = mail.html
      .replace(/<[^>]+>/g, '')
      .split(/\n+/)
      .filter(Boolean);
    expect(words).toEqual([
      'Hello Ada,',
      expect.stringContaining('Someone asked'),
      'Choose a new password',
      expect.stringContaining('1 hour'),
      expect.stringContaining('do nothing'),
    ]);
  });

  it('has the name, the logo and the colours of a theme, also in the dark scheme', () => {
    const colours = {
      page: '#eeeeee',
      card: '#ffffff',
      text: '#111111',
      button: '#0a5a66',
      onButton: '#fefefe',
    };
    const look = {
      label: 'Acme <Pay>',
      logo: { url: 'https://login.example.com/assets/logo.0a.png', width: 56 },
      radius: 3,
      light: colours,
      dark: { ...colours, page: '#000000', button: '#6fc9d3' },
    };
    const { html, text } = writeMail(
      ada,
      resetLetter({ firstName: 'Ada', username: ada }, link, links),
      'ar',
      look,
    );
    expect(text).not.toContain('Acme');
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<strong>Acme &lt;Pay&gt;</strong>');
    expect(html).toContain('<img src="https://login.example.com/assets/logo.0a.png" alt="" width="56"');
    expect(html).toMatch(/<a class="button" style="[^"]*background:#0a5a66;color:#fefefe;" href="https:/);
    expect(html).toMatch(/<body class="page" style="[^"]*background:#eeeeee;">/);
    expect(html).toContain('.page{background:#000000!important;}');
    expect(html).toContain('.button{background:#6fc9d3!important;color:#fefefe!important;}');
  });

  it('contains only its own tags, whatever the names are', () => {
    const anything = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(anything, anything, (firstName, username) => {
        const { html, subject, to } = writeMail(
          'a@b.test\r\nBcc: eve@example.com',
          passwordChangedLetter({ firstName, username }, 0, links),
          'en',
        );
        expect(html.match(/<[^>]*>/g)).toEqual([
          '<!doctype html>',
          '<html lang="en">',
          '<body>',
          ...['<p>', '</p>', '<p>', '</p>', '<p>', '</p>'],
          ...['<p>', '<a href="https://login.example.com/forgot-password">', '</a>', '</p>'],
          ...['</body>', '</html>'],
        ]);
        expect(subject + to).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it.each([
    [604_800, '7 days'],
    [86_400, '1 day'],
    [5400, '90 minutes'],
    [1, '1 second'],
  ])('writes %i seconds as %s', (seconds, words) => {
    const { text } = writeMail(ada, invitationLetter('ada', { ...link, seconds }, links), 'en');
    expect(text).toContain(`The link works once, for ${words}. Earlier invitations no longer work.`);
  });

  it('has one recipient address and the configured sender', async () => {
    const sent: unknown[] = [];
    const transport = { sendMail: (message: unknown) => Promise.resolve(sent.push(message)) };
    const mail = { to: 'a@b.test,eve@evil.test', subject: 's', text: 't', html: 'h' };
    await mailSender(transport, 'Payments <no-reply@example.com>').sendMail(mail, delivery);
    expect(sent).toEqual([
      {
        ...mail,
        from: 'Payments <no-reply@example.com>',
        to: { name: '', address: mail.to },
        messageId: '<0b9f@example.com>',
      },
    ]);
  });
});

const from = 'Payments & Co <no-reply@payments.example>';
const plain = { to: ada, subject: 'Hello', text: 'Hello.\n', html: '<p>Hello.</p>\n' };

describe('mails over SMTP', () => {
  let mailbox: Mailbox;
  let service: TestService;

  const more: Mailbox[] = [];
  const openAnother = async (options: Parameters<typeof openMailbox>[0]): Promise<Mailbox> => {
    const another = await openMailbox(options);
    more.push(another);
    return another;
  };
  const forgot = (): Promise<unknown> => service.forgot();

  beforeAll(async () => {
    mailbox = await openMailbox();
    service = await startTestService({ outbox: smtpMail({ url: mailbox.url, from }) });
  });
  afterAll(async () => {
    await service.close();
    for (const one of [mailbox, ...more]) await one.close();
  });
  beforeEach(async () => {
    await service.directory.resetAll();
    await service.write();
  });

  it('deliver a reset link from the sender to the account, as text and as HTML', async () => {
    await forgot();
    const { envelope, mail } = await mailbox.nextMail();
    expect(envelope).toEqual({ from: 'no-reply@payments.example', to: [ada] });
    expect(mail.from).toEqual({ name: 'Payments & Co', address: 'no-reply@payments.example' });
    expect(mail.to).toEqual([{ name: '', address: ada }]);
    expect(mail.subject).toBe('Reset your password');
    const link = /^http:\/\/login\.payments\.localhost\/reset-password\/(\S+)$/m.exec(mail.text ?? '');
    expect(mail.html).toContain(`<a href="${link?.[0] ?? 'no link'}">Choose a new password</a>`);
    expect(mail.attachments).toEqual([]);

    expect((await service.reset(link?.[1] ?? '')).status).toBe(200);
    expect((await service.signIn({ password: newPassword })).status).toBe(200);
    expect((await mailbox.nextMail()).mail.subject).toBe('Your password was changed');
  });

  it('keep names apart from the markup and the headers', async () => {
    const firstName = '<b>Žofie</b>\r\nBcc: eve@example.com\r\n\r\n"\'&amp;\u2028http://evil.test/';
    await service.write({ firstName });
    await forgot();
    const { envelope, mail } = await mailbox.nextMail();
    expect(envelope.to).toEqual([ada]);
    expect(mail.bcc).toBeUndefined();
    expect(mail.text).toContain('Hello <b>Žofie</b> Bcc: eve@example.com "\'&amp; http://evil.test/,');
    expect(mail.html).toContain(
      'Hello &lt;b&gt;Žofie&lt;/b&gt; Bcc: eve@example.com &quot;&#39;&amp;amp; http://evil.test/,',
    );
  });

  it.each([
    ['a list', 'ada@example.com, eve@example.com'],
    ['a name that contains another', '"eve@example.com" <ada@example.com>'],
    ['a second line', 'ada@example.com\r\nBcc: eve@example.com'],
  ])('have no other recipient when the address is %s', async (_what, to) => {
    const { sendMail } = smtpMail({ url: mailbox.url, from });
    const taken = await sendMail({ ...plain, to }, delivery).then(
      () => true,
      () => false,
    );
    const recipients = taken ? (await mailbox.nextMail()).envelope.to : [];
    expect(recipients).not.toContain('eve@example.com');
    expect(recipients.length).toBeLessThanOrEqual(1);
  });

  it('use the credentials of the address, also percent-encoded ones', async () => {
    const guarded = await openAnother({ login: { user: 'vestibule@x', password: 'p/w:d' } });
    const withLogin = (login: string): string => guarded.url.replace('//', `//${login}@`);
    const { sendMail } = smtpMail({ url: withLogin('vestibule%40x:p%2Fw%3Ad'), from });
    await sendMail(plain, delivery);
    expect((await guarded.nextMail()).mail.text?.trim()).toBe('Hello.');
    await expect(
      smtpMail({ url: withLogin('vestibule:wrong'), from }).sendMail(plain, delivery),
    ).rejects.toMatchObject({ name: 'MessageDelayed', reason: 'EAUTH-535' });
  });

  it('reject when the server rejects the recipient, hangs up, or is not there', async () => {
    const choosy = await openAnother({ refuse: ada });
    await expect(smtpMail({ url: choosy.url, from }).sendMail(plain, delivery)).rejects.toMatchObject({
      name: 'MessageRefused',
      reason: 'EENVELOPE-550',
    });
    await choosy.close();
    const { sendMail } = smtpMail({ url: choosy.url, from });
    await expect(sendMail(plain, delivery)).rejects.toMatchObject({
      name: 'MessageDelayed',
      reason: 'ESOCKET',
    });
    const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const url = `smtp://127.0.0.1:${(rude.address() as AddressInfo).port}`;
    await expect(smtpMail({ url, from }).sendMail(plain, delivery)).rejects.toThrow();
    rude.close();
  });

  it('whose acceptance is lost arrive twice under one Message-ID', async () => {
    const forgetful = await openAnother({ forgetful: true });
    await using other = await startTestService({
      now: Date.now,
      outbox: smtpMail({ url: forgetful.url, from }),
    });
    await other.write();
    await other.forgot();
    const { mail: first } = await forgetful.nextMail();
    const { mail: second } = await forgetful.nextMail();
    expect(first.messageId).toMatch(/^<[0-9a-f-]{36}@payments\.example>$/);
    expect([second.messageId, second.text]).toEqual([first.messageId, first.text]);
  });
});
