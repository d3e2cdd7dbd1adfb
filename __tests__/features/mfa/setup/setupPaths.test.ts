/** @jest-environment node */
import type { SetupState } from '@features/mfa/setup/setup.slice';
import { decideStep, setupPath, type StepDecision } from '@features/mfa/setup/setupPaths';
import { matchRoute } from '@shared/routing/matchRoute';
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

const decide = (path: string, name: Name, uid: string | null = 'u_1') =>
  decideStep(matchRoute(path), states[name], uid);

const phone = '/authy-collect-info/u_1';
const app = '/qrcode-start/u_1';
const code = '/verification/u_1/';
const toOptions: StepDecision = { kind: 'redirect', to: '/mfa-options' };
const toPhone: StepDecision = { kind: 'redirect', to: phone };
const toApp: StepDecision = { kind: 'redirect', to: app };
const enter = (step: 'phone' | 'app' | 'code'): StepDecision => ({ kind: 'enter', step });

describe('the steps of the set-up can be entered', () => {
  it.each<readonly [string, Name, StepDecision]>([
    [phone, 'smsChosen', enter('phone')],
    [phone, 'phone', enter('phone')],
    [phone, 'sendingPhone', enter('phone')],
    [phone, 'smsCode', enter('phone')],
    [phone, 'appChosen', toApp],
    [phone, 'appCode', toApp],
    [app, 'appChosen', enter('app')],
    [app, 'enrolled', enter('app')],
    [app, 'enrolmentFailed', enter('app')],
    [app, 'appCode', enter('app')],
    [app, 'smsChosen', toPhone],
    [app, 'smsCode', toPhone],
    [code, 'smsCode', enter('code')],
    ['/verification/u_1', 'smsCode', enter('code')],
    [code, 'smsVerifying', enter('code')],
    [code, 'appCode', enter('code')],
    [code, 'enrolled', enter('code')],
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

  it.each(names)('not by somebody who has not proved who they are (%s)', (name) => {
    for (const path of [phone, app, code]) expect(decide(path, name, null)).toEqual(toOptions);
  });

  it.each(['u_2', 'U_1', 'u_11', '', '..', 'u%5F1'])('not under another uid: %j', (uid) => {
    expect(decide(`/authy-collect-info/${uid}`, 'phone').kind).not.toBe('enter');
    expect(decide(`/verification/${uid}/`, 'smsCode').kind).not.toBe('enter');
  });
});

describe('other addresses', () => {
  it.each(names)('keep everything while identity is proved, and nothing otherwise (%s)', (name) => {
    expect(decide('/ask-password/enable', name)).toEqual({ kind: 'pause' });
    for (const path of ['/ask-password/disable', '/mfa-options', '/account-settings', '/login', '/nowhere'])
      expect(decide(path, name)).toEqual({ kind: 'leave' });
  });
});

describe('the set-up goes on', () => {
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

  it('at an address that its own user may enter, whoever that is', () => {
    const uids = fc.string({ minLength: 1, unit: 'grapheme' }).filter((uid) => !/^\.{1,2}$/.test(uid));
    fc.assert(
      fc.property(uids, fc.constantFrom(...names.filter((name) => name !== 'none')), (uid, name) => {
        const decision = decideStep(matchRoute(setupPath(states[name], uid)), states[name], uid);
        expect(decision.kind).toBe('enter');
      }),
    );
  });
});
