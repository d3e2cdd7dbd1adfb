/** @jest-environment node */
import fc from 'fast-check';
import { mailSender } from '../../service';
import { linkSettings } from '../../service/links/linkOptions';
import { writeMail } from '../../service/mails/letter';
import { invitationLetter, passwordChangedLetter, resetLetter } from '../../service/mails/letters';

const links = linkSettings(undefined, ['https://login.example.com']);
const link = { url: 'https://login.example.com/reset-password/abc', seconds: 3600 };

describe('a mail', () => {
  it('says the same in both forms', () => {
    const to = { firstName: 'Ada', username: 'ada@example.com' };
    const mail = writeMail('ada@example.com', resetLetter(to, link, links));
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

  it('shows names as text: no markup, no line of their own, no header', () => {
    const to = {
      firstName: '<img src=x onerror=alert(1)>"\'&',
      username: 'ada\r\nBcc: eve@example.com\u2028http://evil.test/',
    };
    const mail = writeMail('ada@example.com\r\nBcc: eve@example.com', resetLetter(to, link, links));
    expect(mail.html).toContain('Hello &lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;,');
    expect(mail.html).not.toContain('<img');
    expect(mail.text).not.toMatch(/^(Bcc|http:\/\/evil)/m);
    expect(mail.to).not.toMatch(/[\r\n]/);
  });

  it('has the tags of its own and no others, whatever people are called', () => {
    const anything = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(anything, anything, (firstName, username) => {
        const { html, subject } = writeMail(
          'a@b.test',
          passwordChangedLetter({ firstName, username }, 0, links),
        );
        expect(html.match(/<[^>]*>/g)).toEqual([
          '<!doctype html>',
          '<html lang="en">',
          '<body>',
          ...['<p>', '</p>', '<p>', '</p>', '<p>', '</p>'],
          ...['<p>', '<a href="https://login.example.com/forgot-password">', '</a>', '</p>'],
          ...['</body>', '</html>'],
        ]);
        expect(subject).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it.each([
    [604_800, '7 days'],
    [86_400, '1 day'],
    [5400, '90 minutes'],
    [1, '1 second'],
  ])('says %i seconds as %s', (seconds, words) => {
    const { parts } = invitationLetter('ada', { ...link, seconds }, links);
    expect(parts).toContain(`The link works once, for ${words}. Earlier invitations no longer work.`);
  });

  it('goes to a mail server as one address, with the sender that was set', async () => {
    const sent: unknown[] = [];
    const transport = { sendMail: (message: unknown) => Promise.resolve(sent.push(message)) };
    const mail = { to: 'a@b.test,eve@evil.test', subject: 's', text: 't', html: 'h' };
    await mailSender(transport, 'Payments <no-reply@example.com>').sendMail(mail);
    expect(sent).toEqual([
      { ...mail, from: 'Payments <no-reply@example.com>', to: { name: '', address: mail.to } },
    ]);
  });
});
