import { createHmac, randomBytes } from 'node:crypto';
import { twilioText, webhookText } from '../src/index.ts';
import { openTextReceiver, type TextReceiver, type Treatment } from './support/textReceiver.ts';

const message = { to: '+12025550143', text: '123456 is your code & more.' };
const delivery = { id: '0b9f', lifeSeconds: 599.7 };
const accountSid = `AC${'0'.repeat(32)}`;

let receiver: TextReceiver;
beforeEach(async () => {
  receiver = await openTextReceiver();
});
afterEach(() => receiver.close());

const byTwilio = (sender: Parameters<typeof twilioText>[0]['sender'] = { from: '+12025550100' }) =>
  twilioText({ accountSid, authToken: 'tok:en', sender, apiUrl: receiver.url });

describe('a text message by Twilio', () => {
  it.each([
    [{ from: '+12025550100' }, { From: '+12025550100' }],
    [{ messagingServiceSid: 'MG1' }, { MessagingServiceSid: 'MG1' }],
  ])('goes out from %p, and not after its code is over', async (sender, from) => {
    await byTwilio(sender).sendTextMessage(message, delivery);
    const [call] = receiver.calls();
    expect(call).toMatchObject({
      method: 'POST',
      path: `/2010-04-01/Accounts/${accountSid}/Messages.json`,
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:tok:en`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
    });
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      To: message.to,
      Body: message.text,
      ValidityPeriod: '599',
      ...from,
    });
  });

  it('that Twilio refuses is given up, with the number of its error', async () => {
    receiver.treat({
      status: 400,
      body: JSON.stringify({ code: 21211, message: `${message.to} is no number` }),
    });
    await expect(byTwilio().sendTextMessage(message, delivery)).rejects.toMatchObject({
      name: 'MessageRefused',
      reason: 'twilio-21211',
      message: 'The message was refused: twilio-21211.',
    });
  });
});

describe('a text message by webhook', () => {
  it('is JSON, signed as Standard Webhooks says, with one id for all tries', async () => {
    const key = randomBytes(32);
    const { sendTextMessage } = webhookText({
      url: `${receiver.url}/texts`,
      secret: `whsec_${key.toString('base64')}`,
    });
    await sendTextMessage(message, delivery);
    await sendTextMessage(message, delivery);
    for (const { headers, path, body } of receiver.calls()) {
      expect([path, headers['content-type'], headers['webhook-id']]).toEqual([
        '/texts',
        'application/json',
        '0b9f',
      ]);
      expect(JSON.parse(body)).toEqual({ id: '0b9f', ...message, expiresInSeconds: 599.7 });
      const signed = `0b9f.${String(headers['webhook-timestamp'])}.${body}`;
      const expected = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${expected}`);
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300);
    }
    expect(receiver.calls()).toHaveLength(2);
  });

  const send = () =>
    webhookText({ url: receiver.url, secret: randomBytes(32).toString('base64') }).sendTextMessage(
      message,
      delivery,
    );

  it.each<[string, Treatment, object]>([
    ['400', { status: 400, body: '{"code":1}' }, { name: 'MessageRefused', reason: 'http-400' }],
    ['401', { status: 401 }, { name: 'MessageRefused', reason: 'http-401' }],
    [
      '500',
      { status: 500, body: '<html>' },
      { name: 'MessageDelayed', reason: 'http-500', retryAfterSeconds: 0 },
    ],
    ['408', { status: 408 }, { name: 'MessageDelayed', reason: 'http-408' }],
    [
      '429 with a time',
      { status: 429, headers: { 'Retry-After': '7' } },
      { name: 'MessageDelayed', reason: 'http-429', retryAfterSeconds: 7 },
    ],
    [
      '503 with nonsense for a time',
      { status: 503, headers: { 'Retry-After': 'soon' } },
      { name: 'MessageDelayed', retryAfterSeconds: 0 },
    ],
    ['an end of the connection', 'cut', { name: 'MessageDelayed' }],
  ])('answered with %s is refused or delayed', async (_what, treatment, failure) => {
    receiver.treat(treatment);
    await expect(send()).rejects.toMatchObject(failure);
  });

  it('waits until the date that the receiver names', async () => {
    receiver.treat({ status: 503, headers: { 'Retry-After': new Date(Date.now() + 90_000).toUTCString() } });
    const failure: unknown = await send().catch((error: unknown) => error);
    const { retryAfterSeconds } = failure as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(60);
    expect(retryAfterSeconds).toBeLessThanOrEqual(90);
  });

  it('follows no redirect: message and signature go where the operator said', async () => {
    receiver.treat({ status: 307, headers: { Location: '/elsewhere' } });
    await expect(send()).rejects.toMatchObject({ name: 'MessageRefused', reason: 'http-307' });
    expect(receiver.calls()).toHaveLength(1);
  });

  it('is delayed when no server listens', async () => {
    await receiver.close();
    await expect(send()).rejects.toMatchObject({ name: 'MessageDelayed', reason: 'ECONNREFUSED' });
    receiver = await openTextReceiver();
  });

  it('is delayed when the receiver says nothing', async () => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    receiver.treat('hang');
    const sending = send();
    void receiver.untilCalls(1).then(() => {
      limit.abort(new DOMException('', 'TimeoutError'));
    });
    await expect(sending).rejects.toMatchObject({ name: 'MessageDelayed', reason: 'timeout' });
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
  });
});
