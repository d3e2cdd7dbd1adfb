import { verificationLifeMs, verificationStarted } from '@features/auth';
import { selectEnrolment, enrolmentMethodChosen } from '@features/mfa';
import type { TwoStepMethod } from '@shared/api/decoders';
import { phoneSubmitted, enrolmentCodeSubmitted } from '@features/mfa/enrolment/enrolment.slice';
import { linkFollowed } from '@shared/routing/location.slice';
import { severalPersonas, tokenPair, type AccessTokenFacts } from '../../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp, settle, type OpenApp } from '../../../support/openApp';
import { put, putSetup } from '../../../support/sessionCookies';

/** What the phone step submits for Ada's number. */
export const ada = {
  entry: { country: 'US', text: '(202) 555-0143' },
  number: { phone: '+12025550143', countryCode: 'US' },
} as const;

/** Key and QR address of an enrolment; recognisable, so that leaks are found. */
export const enrolment = {
  code: 'JBSWY3DPEHPK3PXP',
  url: 'otpauth://totp/Payments:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Payments',
};

/** The running application, and the bearer that its calls must carry. */
export interface OpenSetup extends OpenApp {
  readonly bearer: string;
  readonly setup: () => ReturnType<typeof selectEnrolment>;
  readonly go: (to: string) => Promise<void>;
}

function open(deps: FakeDeps, bearer: string, active?: TwoStepMethod): OpenSetup {
  deps.api.users.attributes.mockResolvedValue({
    email: 'ada@example.com',
    isTextActive: active === 'text',
    isAppActive: active === 'app',
    lastReset: null,
  });
  deps.api.mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
  deps.api.mfa.addAuthenticator.mockResolvedValue(enrolment);
  deps.api.mfa.validateSetup.mockResolvedValue(undefined);
  deps.api.mfa.activePhone.mockResolvedValue({ lastFourPhone: '0143' });
  const app = openApp(deps);
  return {
    ...app,
    bearer,
    setup: () => selectEnrolment(app.state()),
    go: async (to) => {
      await app.send(linkFollowed({ to }));
    },
  };
}

/** The active method, according to the service. */
interface Active {
  readonly active?: TwoStepMethod;
}

/** A user with a session is on `/mfa-options`, or where the options say. */
export async function openInSession({
  facts = {},
  active,
  ...tab
}: TabOptions & Active & { readonly facts?: Partial<AccessTokenFacts> } = {}): Promise<OpenSetup> {
  const deps = fakeDeps({ path: '/mfa-options', ...tab });
  const tokens = tokenPair({ personas: severalPersonas, ...facts });
  put(deps, tokens);
  const app = open(deps, tokens.token, active);
  await settle();
  return app;
}

/** A user who must set up two-step verification is on `/mfa-options`, or where the options say. */
export async function openInSetupMode({ active, ...tab }: TabOptions & Active = {}): Promise<OpenSetup> {
  const deps = fakeDeps({ path: '/mfa-options', ...tab });
  const mfaToken = putSetup(deps);
  const app = open(deps, mfaToken, active);
  await settle();
  return app;
}

/** Identity is verified: the token is in the vault, and the enrolment continues. */
export async function prove(app: OpenSetup, authVerificationToken = 'vt_1'): Promise<void> {
  app.deps.vault.put('verification', { authVerificationToken });
  app.dispatch(
    verificationStarted({ purpose: 'enable', expiresAt: app.deps.clock.now() + verificationLifeMs }),
  );
  await settle();
}

/** Chooses a method and goes to its first step, with a session. */
export async function begin(method: TwoStepMethod, app?: OpenSetup): Promise<OpenSetup> {
  const begun = app ?? (await openInSession());
  await begun.send(enrolmentMethodChosen({ method }));
  await prove(begun);
  return begun;
}

/** Submits Ada's number. */
export async function sendPhone(app: OpenSetup): Promise<void> {
  await app.send(phoneSubmitted(ada));
}

/** Enters a code and submits it. */
export async function sendCode(app: OpenSetup, code = '123456'): Promise<void> {
  await app.send(enrolmentCodeSubmitted(code));
}

/** Goes to the code step of a method, with a session. */
export async function reachCode(method: TwoStepMethod, opened?: OpenSetup): Promise<OpenSetup> {
  const app = await begin(method, opened);
  if (method === 'text') await sendPhone(app);
  else await app.go('/verification/u_1/');
  return app;
}
