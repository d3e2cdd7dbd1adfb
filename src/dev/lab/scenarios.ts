import type { MessageDescriptor } from '@lingui/core';
import { appCrashed } from '@app/crash/crash.slice';
import { waitNoticed } from '@app/wait.slice';
import { rootReducer, type RootState } from '@app/rootReducer';
import { authMessages } from '@features/auth';
import { refusalMessages } from '@features/auth/refusals.messages';
import { providerMessages } from '@features/auth/provider/provider.messages';
import { mfaMessages } from '@features/mfa/mfa.messages';
import { turnOffMessages } from '@features/mfa/turn-off/turnOff.messages';
import { pageOpened, sessionAbsent, sessionEnded, sessionMessages, type Embedding } from '@features/session';
import { frameStorageChanged, type FrameStorage } from '@features/session/session.slice';
import { dialogOpened, wrongCodeMessages } from '@features/ui-dialogs';
import type { UnknownAction } from '@reduxjs/toolkit';
import { paths } from '@vestibule/contract/paths';
import { accountScenarios, activatedScenarios } from './accountScenarios';
import { injectEveryReducer } from './everyReducer';
import { authScenarios } from './authScenarios';
import { features, type Extension } from '@app/features';
import type { PhaseName, Scenario, ScenarioTools, Variants } from '@shared/scenario';
import { alerted, at, givenWords, inSetupMode, opened, signedIn, tools } from './scenario';

injectEveryReducer();

/**
 * One dialog for each text of catalogues; groups of texts are left out. Functions get an example as their argument.
 */
const dialogs = (notice: Parameters<typeof alerted>[0], ...catalogues: readonly object[]): Variants =>
  Object.fromEntries(
    catalogues.flatMap((texts) =>
      Object.entries(texts).flatMap(
        ([name, declared]: [string, MessageDescriptor | ((filling: string) => MessageDescriptor)]) => {
          const text = typeof declared === 'function' ? declared('support.payments.example') : declared;
          return 'message' in text ? [[name, () => [alerted(notice, text)]]] : [];
        },
      ),
    ),
  );

/** The dialogs of the catalogues, by the entry that names them. */
const dialogScenarios = {
  'dialogs/loginError': {
    ...dialogs(
      authMessages.loginError,
      authMessages.errors,
      refusalMessages,
      providerMessages.errors,
      providerMessages.errors.failed,
    ),
    cookiesOff: () => [alerted(authMessages.loginError, sessionMessages.cookiesOff)],
    serverMessage: ({ serverMessage }) => [alerted(authMessages.loginError, serverMessage)],
  },
  'dialogs/wrongCode': {
    wrongCode: () => [alerted(wrongCodeMessages, wrongCodeMessages.message)],
    'no response': () => [alerted(wrongCodeMessages, wrongCodeMessages.message, 'unreachable')],
  },
  'dialogs/identityRefused': {
    verifyDefault: (words) => [
      signedIn(words),
      at(paths.changeVerify()),
      alerted(refusalMessages.identity, refusalMessages.verifyDefault),
    ],
  },
  'dialogs/wrongEnrolmentCode': {
    wrongCode: () => [alerted(wrongCodeMessages, wrongCodeMessages.message)],
  },
  'dialogs/enrolmentError': {
    fallback: () => [alerted(mfaMessages.enrolmentError, sessionMessages.fallback)],
  },
  'dialogs/turnOff': {
    question: (words) => [
      signedIn(words),
      at(paths.accountSettings()),
      dialogOpened({ ...turnOffMessages.dialog, kind: 'confirm' }),
    ],
  },
} as const satisfies Readonly<Record<string, Variants>>;

/** `/login` in a frame of a parent on another site. */
const framed = (storage: FrameStorage): readonly UnknownAction[] => [
  pageOpened({ embedding: 'trusted' }),
  frameStorageChanged(storage),
  sessionAbsent(),
];

type SessionPhase = Exclude<Extract<PhaseName<RootState>, `session.${string}`>, `session.profile/${string}`>;

const sessionScenarios: Readonly<Record<SessionPhase | `session.embedding/${Embedding}`, Variants>> = {
  'session.access/unknown': { 'before the start': () => [] },
  'session.access/anonymous': {
    'at the login': () => [sessionAbsent()],
    'password changed in a frame': (words) => [
      pageOpened({ embedding: 'trusted' }),
      ...accountScenarios['password.newPassword/saved'].change(words),
      sessionEnded({ reason: 'changedInFrame' }),
    ],
  },
  'session.access/setup': { 'choosing a method': (words) => [inSetupMode(words), at(paths.mfaOptions())] },
  'session.access/active': { 'choosing a method': (words) => [signedIn(words), at(paths.mfaOptions())] },
  'session.frameStorage/shared': { 'allowed by the user': () => framed({ phase: 'shared' }) },
  'session.frameStorage/partitioned': { 'to be asked': () => framed({ phase: 'partitioned' }) },
  'session.frameStorage/asking': {
    'the browser asks': () => framed({ phase: 'asking' }),
  },
  'session.frameStorage/visitNeeded': { 'refused once': () => framed({ phase: 'visitNeeded' }) },
  'session.frameStorage/visited': {
    'window open': () => framed({ phase: 'visited' }),
  },
  'session.frameStorage/refused': {
    denied: () => framed({ phase: 'refused', reason: 'denied' }),
    forbidden: () => framed({ phase: 'refused', reason: 'forbidden' }),
    'no cookies': () => framed({ phase: 'refused', reason: 'noCookies' }),
    unsupported: () => framed({ phase: 'refused', reason: 'unsupported' }),
  },
  'session.embedding/none': { 'link expired': () => [at(paths.unauthorized())] },
  'session.embedding/trusted': {
    settings: (words) => [
      pageOpened({ embedding: 'trusted' }),
      ...accountScenarios['mfa.activePhone/loaded']['text messages'](words),
    ],
  },
  'session.embedding/untrusted': { refused: () => [pageOpened({ embedding: 'untrusted' })] },
};

/** The phases of the branches whose scenarios are not in a `*.scenarios.ts`. */
type OwnPhase = PhaseName<Omit<RootState, Extension['name']>>;

/** The scenarios of the application itself, by phase and variant. */
const table: Readonly<Record<OwnPhase, Variants>> & Readonly<Record<string, Variants>> = {
  ...authScenarios,
  ...accountScenarios,
  ...sessionScenarios,
  'mfa.activation/on': activatedScenarios,
  ...dialogScenarios,
  'crash/crashed': { crashed: () => [appCrashed()] },
  'wait/session': { 'an old session is checked': () => [at('/'), waitNoticed('session')] },
  'wait/screen': { 'the settings are loaded': () => [at(paths.accountSettings()), waitNoticed('screen')] },
};

/** The scenarios of a feature may begin with one of the application. */
const like: ScenarioTools['like'] = (name, words) => {
  const [path = '', phase = '', variant = ''] = name.split('/');
  const scenario = table[`${path}/${phase}`]?.[variant];
  if (!scenario) throw new Error(`There is no scenario ${name}`);
  return scenario(words);
};

/** Every scenario, by the name that `?scenario=` takes: 'path in the state/phase/variant'. */
export const scenarios: Readonly<Record<string, Scenario>> = Object.fromEntries(
  [table, ...features.map((feature) => feature.scenarios?.scenarios({ ...tools, like }) ?? {})]
    .flatMap((one) => Object.entries<Variants>(one))
    .flatMap(([phase, variants]) =>
      Object.entries(variants).map(([variant, scenario]) => [`${phase}/${variant}`, scenario]),
    ),
);

/** How a scenario is displayed. */
export interface Look {
  readonly look?: 'default' | 'epay';
  readonly words?: keyof typeof givenWords;
  readonly embedding?: Embedding;
}

/** The state of a scenario, made by the real reducers; `null`: there is none of that name. */
export function stateOf(
  name: string,
  { look, words = 'plain', embedding = 'none' }: Look = {},
): RootState | null {
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
  if (!scenario) return null;
  const search = look === 'epay' ? '?application=e-pay' : '';
  return [...opened(embedding, search), ...scenario(givenWords[words])].reduce<RootState>(
    (state, event) => rootReducer(state, event),
    rootReducer(undefined, { type: '@@lab/init' }),
  );
}
