import { setTimeout as pause } from 'node:timers/promises';
import { startTraces } from '../src/platform/metrics/traces.ts';
import { MessageDelayed } from '../src/platform/outbox/outbox.ts';
import { recordingLogger, type RecordedLog } from './support/recordingLogger.ts';
import { startTestService, type TestService } from './support/testService.ts';
import { openTextReceiver, type TextReceiver } from './support/textReceiver.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

const spansOf = (bodies: readonly string[]): readonly Span[] =>
  bodies.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: readonly { scopeSpans: readonly { spans: readonly Span[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });

describe('traces', () => {
  let collector: TextReceiver;
  let service: TestService;
  let end: () => Promise<void>;
  let log: RecordedLog;

  beforeEach(async () => {
    collector = await openTextReceiver();
    collector.treat({ status: 200, body: '{}' });
    log = recordingLogger();
    const options = { endpoint: collector.url, ratio: 1, serviceName: 'sign-on' };
    end = await startTraces({ ...options, headers: { authorization: 'Bearer collector' } }, log.logger);
    service = await startTestService();
    await service.write();
  });
  afterEach(async () => {
    await end();
    await service.close();
    await collector.close();
  });

  it('show the statements and the hash of a sign-in under its call, and no secret or address', async () => {
    const foreign = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${foreign}-b7ad6b7169203331-01` };
    await service.get('/auth/v1/method/ada@example.com', { headers });
    const response = await service.signIn();
    await service.signIn({ password: 'wrong password' });
    await end();
    const calls = collector.calls();
    expect(calls.map(({ path, headers: sent }) => [path, sent.authorization])).toContainEqual([
      '/v1/traces',
      'Bearer collector',
    ]);
    const bodies = calls.map(({ body }) => body);
    const spans = spansOf(bodies);
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.map(({ name }) => name)).toEqual(['getLoginMethods', 'createToken', 'createToken']);
    const [methods, token] = roots;
    expect(methods?.attributes).toEqual([
      { key: 'http.request.method', value: { stringValue: 'GET' } },
      { key: 'http.route', value: { stringValue: '/auth/v1/method/:username' } },
      { key: 'http.response.status_code', value: { intValue: 200 } },
    ]);
    const children = spans.filter(({ parentSpanId }) => parentSpanId === token?.spanId);
    expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(['hash', 'postgresql']));
    expect(children.every(({ traceId }) => traceId === token?.traceId)).toBe(true);
    const everything = bodies.join('');
    const secrets = ['ada@example.com', 'wrong password', foreign, String(response.body['refresh'])];
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  it('end with their call: a later try of a message has a trace of its own', async () => {
    service.outbox.treat(() => Promise.reject(new MessageDelayed('busy')));
    await service.forgot();
    const logged = async (event: string) => {
      while (!service.log.text().includes(event)) await pause(20);
    };
    await logged('message not taken');
    service.outbox.refuse(false);
    service.passSeconds(60);
    await logged('message sent');
    await end();
    const tries = spansOf(collector.calls().map(({ body }) => body)).filter(
      ({ name, attributes }) => name === 'message' && JSON.stringify(attributes).includes('"mail"'),
    );
    expect(tries.map(({ parentSpanId }) => parentSpanId === undefined)).toEqual([false, true]);
  });

  it('that no collector takes delay no call, and are reported once they are given up', async () => {
    collector.treat({ status: 400 });
    expect((await service.signIn()).status).toBe(200);
    await end();
    expect(log.entries().map(({ event }) => event)).toContain('traces not delivered');
  });
});
