/** @jest-environment node */
import type { EnrolmentState, EnrolmentStep } from '@features/mfa/enrolment/enrolment.slice';
import { decideStep, enrolmentPath, type StepDecision } from '@features/mfa/enrolment/enrolmentPaths';
import { findRoute } from '@app/routes';
import fc from 'fast-check';

const entry = { country: 'US', text: '(202) 555-0143' } as const;
const boxes = { red: false, restarts: 0 } as const;

const states = {
  none: { phase: 'none' },
  smsChosen: { phase: 'chosen', method: 'text' },
  appChosen: { phase: 'chosen', method: 'app' },
  phone: { phase: 'phone', method: 'text', entry, refused: false },
  sendingPhone: { phase: 'sendingPhone', method: 'text', entry },
  loadingKey: { phase: 'loadingKey', method: 'app' },
  keyFailed: { phase: 'keyFailed', method: 'app' },
  keyShown: { phase: 'keyShown', method: 'app', copy: null },
  smsCode: { phase: 'code', method: 'text', entry, lastFourPhone: '0143', ...boxes },
  smsVerifying: { phase: 'verifying', method: 'text', entry, lastFourPhone: '0143', ...boxes },
  appCode: { phase: 'code', method: 'app', ...boxes },
} as const satisfies Record<string, EnrolmentState>;
type Name = keyof typeof states;
const names = Object.keys(states) as readonly Name[];

const steps: Partial<Record<string, EnrolmentStep>> = {
  phoneEnrolment: 'phone',
  appEnrolment: 'app',
  enrolmentCode: 'code',
};

const decideAt = (path: string, state: EnrolmentState, uid: string | null): StepDecision | null => {
  const match = findRoute(path);
  const step = match && steps[match.name];
  return step ? decideStep(step, match.params['uid'], state, uid) : null;
};
const decide = (path: string, name: Name, uid: string | null = 'u_1') => decideAt(path, states[name], uid);

const phone = '/authy-collect-info/u_1';
const app = '/qrcode-start/u_1';
const code = '/verification/u_1/';
const toOptions: StepDecision = { kind: 'redirect', to: '/mfa-options' };
const toPhone: StepDecision = { kind: 'redirect', to: phone };
const toApp: StepDecision = { kind: 'redirect', to: app };
const enter: StepDecision = { kind: 'enter' };

describe('the steps of the enrolment can be entered', () => {
  it.each<readonly [string, Name, StepDecision]>([
    [phone, 'smsChosen', enter],
    [phone, 'phone', enter],
    [phone, 'sendingPhone', enter],
    [phone, 'smsCode', enter],
    [phone, 'appChosen', toApp],
    [phone, 'appCode', toApp],
    [app, 'appChosen', enter],
    [app, 'keyShown', enter],
    [app, 'keyFailed', enter],
    [app, 'appCode', enter],
    [app, 'smsChosen', toPhone],
    [app, 'smsCode', toPhone],
    [code, 'smsCode', enter],
    ['/verification/u_1', 'smsCode', enter],
    [code, 'smsVerifying', enter],
    [code, 'appCode', enter],
    [code, 'keyShown', enter],
    [code, 'loadingKey', toApp],
    [code, 'keyFailed', toApp],
    [code, 'appChosen', toApp],
    [code, 'smsChosen', toPhone],
    [code, 'phone', toPhone],
    [code, 'sendingPhone', toPhone],
  ])('%s in %s: %j', (path, name, decision) => {
    expect(decide(path, name)).toEqual(decision);
  });

  it.each([phone, app, code])('%s: not without a chosen method', (path) => {
    expect(decide(path, 'none')).toEqual(toOptions);
  });

  it.each(names)('not without a verified identity (%s)', (name) => {
    for (const path of [phone, app, code]) expect(decide(path, name, null)).toEqual(toOptions);
  });

  it.each(['u_2', 'U_1', 'u_11', '', '..', 'u%5F1'])('not under another uid: %j', (uid) => {
    expect(decide(`/authy-collect-info/${uid}`, 'phone')).not.toEqual(enter);
    expect(decide(`/verification/${uid}/`, 'smsCode')).not.toEqual(enter);
  });
});

describe('the enrolment continues', () => {
  it.each<readonly [Name, string]>([
    ['none', '/mfa-options'],
    ['smsChosen', phone],
    ['phone', phone],
    ['sendingPhone', phone],
    ['appChosen', app],
    ['loadingKey', app],
    ['keyFailed', app],
    ['keyShown', app],
    ['smsCode', code],
    ['smsVerifying', code],
    ['appCode', code],
  ])('from %s at %s', (name, path) => {
    expect(enrolmentPath(states[name], 'u_1')).toBe(path);
  });

  it('at an address of any own uid', () => {
    const uids = fc.string({ minLength: 1, unit: 'grapheme' }).filter((uid) => !/^\.{1,2}$/.test(uid));
    fc.assert(
      fc.property(uids, fc.constantFrom(...names.filter((name) => name !== 'none')), (uid, name) => {
        expect(decideAt(enrolmentPath(states[name], uid), states[name], uid)).toEqual(enter);
      }),
    );
  });
});
