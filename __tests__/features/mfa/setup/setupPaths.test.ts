/** @jest-environment node */
import type { SetupState, SetupStep } from '@features/mfa/setup/setup.slice';
import { decideStep, setupPath, type StepDecision } from '@features/mfa/setup/setupPaths';
import { matchRoute } from '@app/routes';
import fc from 'fast-check';

const entry = { country: 'US', text: '(202) 555-0143' } as const;
const boxes = { red: false, attempt: 0 } as const;

const states = {
  none: { phase: 'none' },
  smsChosen: { phase: 'chosen', method: 'sms' },
  appChosen: { phase: 'chosen', method: 'qrcode' },
  phone: { phase: 'phone', method: 'sms', entry, refused: false },
  sendingPhone: { phase: 'sendingPhone', method: 'sms', entry },
  enrolling: { phase: 'enrolling', method: 'qrcode' },
  enrolmentFailed: { phase: 'enrolmentFailed', method: 'qrcode' },
  enrolled: { phase: 'enrolled', method: 'qrcode', copy: null },
  smsCode: { phase: 'code', method: 'sms', entry, lastFourPhone: '0143', ...boxes },
  smsVerifying: { phase: 'verifying', method: 'sms', entry, lastFourPhone: '0143', ...boxes },
  appCode: { phase: 'code', method: 'qrcode', ...boxes },
} as const satisfies Record<string, SetupState>;
type Name = keyof typeof states;
const names = Object.keys(states) as readonly Name[];

const steps: Partial<Record<string, SetupStep>> = { phoneSetup: 'phone', appSetup: 'app', setupCode: 'code' };

const decideAt = (path: string, state: SetupState, uid: string | null): StepDecision | null => {
  const match = matchRoute(path);
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

describe('the steps of the set-up can be entered', () => {
  it.each<readonly [string, Name, StepDecision]>([
    [phone, 'smsChosen', enter],
    [phone, 'phone', enter],
    [phone, 'sendingPhone', enter],
    [phone, 'smsCode', enter],
    [phone, 'appChosen', toApp],
    [phone, 'appCode', toApp],
    [app, 'appChosen', enter],
    [app, 'enrolled', enter],
    [app, 'enrolmentFailed', enter],
    [app, 'appCode', enter],
    [app, 'smsChosen', toPhone],
    [app, 'smsCode', toPhone],
    [code, 'smsCode', enter],
    ['/verification/u_1', 'smsCode', enter],
    [code, 'smsVerifying', enter],
    [code, 'appCode', enter],
    [code, 'enrolled', enter],
    [code, 'enrolling', toApp],
    [code, 'enrolmentFailed', toApp],
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

describe('the set-up continues', () => {
  it.each<readonly [Name, string]>([
    ['none', '/mfa-options'],
    ['smsChosen', phone],
    ['phone', phone],
    ['sendingPhone', phone],
    ['appChosen', app],
    ['enrolling', app],
    ['enrolmentFailed', app],
    ['enrolled', app],
    ['smsCode', code],
    ['smsVerifying', code],
    ['appCode', code],
  ])('from %s at %s', (name, path) => {
    expect(setupPath(states[name], 'u_1')).toBe(path);
  });

  it('at an address of any own uid', () => {
    const uids = fc.string({ minLength: 1, unit: 'grapheme' }).filter((uid) => !/^\.{1,2}$/.test(uid));
    fc.assert(
      fc.property(uids, fc.constantFrom(...names.filter((name) => name !== 'none')), (uid, name) => {
        expect(decideAt(setupPath(states[name], uid), states[name], uid)).toEqual(enter);
      }),
    );
  });
});
