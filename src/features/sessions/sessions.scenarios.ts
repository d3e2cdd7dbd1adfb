import type { FeatureScenarios, GivenWords, ScenariosOf, ScenarioTools } from '@shared/scenario';
import { actionStarted, activityEntered, listFailed, listLoaded } from './activity.slice';
import { accountActivity } from './activityPath';
import { endOthersConfirmed, othersFound } from './otherSessions.slice';
import type { SessionEntry, TrustedDevice } from './sessions.calls';
import { sessionsReducer, type SessionsState } from './sessions.reducer';

const laptop = { browser: 'Firefox 153', system: 'Windows', network: '203.0.113.0/24' } as const;
const unknown = { browser: null, system: null, network: null } as const;
const times = { startedAt: '2026-11-02T09:30:00Z', lastSeenAt: '2026-11-24T16:05:00Z' } as const;

const sessions: readonly SessionEntry[] = [
  { id: 'this', current: true, method: 'basic', ...times, ...laptop },
  {
    id: 'phone',
    current: false,
    method: 'google',
    ...times,
    ...{ browser: 'Samsung Internet for Android 29', system: 'Android', network: '2001:db8:4f50::/48' },
  },
  { id: 'unknown', current: false, method: 'of a later version', ...times, ...unknown },
];
const devices: readonly TrustedDevice[] = [
  {
    id: 'device',
    browser: laptop.browser,
    system: laptop.system,
    trustedAt: times.startedAt,
    expiresAt: '2026-12-02T09:30:00Z',
  },
];
const kinds = ['signed-in', 'sign-in-failed', 'password-changed', 'mfa-changed', 'locked'];
const events = kinds.map((kind, index) => ({
  id: String(index),
  at: times.lastSeenAt,
  kind,
  method: kind === 'signed-in' ? 'microsoft' : null,
  detail: null,
  ...(index === 1 ? unknown : laptop),
}));

function scenarios({ at, like, settings, signedIn }: ScenarioTools): ScenariosOf<'sessions', SessionsState> {
  const beforeTheCall = (words: GivenWords) => [signedIn(words), at(accountActivity)];
  const opened = (words: GivenWords) => [...beforeTheCall(words), activityEntered()];
  const failed = (words: GivenWords) => [
    ...opened(words),
    ...(['sessions', 'devices', 'events'] as const).map((list) => listFailed({ list })),
  ];
  const loaded = (words: GivenWords) => [
    ...opened(words),
    listLoaded({ list: 'sessions', entries: sessions, next: null }),
    listLoaded({ list: 'devices', entries: devices, next: null }),
    listLoaded({ list: 'events', entries: events, next: '4' }),
  ];
  const empty = (words: GivenWords) => [
    ...opened(words),
    listLoaded({ list: 'sessions', entries: sessions.slice(0, 1), next: null }),
    listLoaded({ list: 'devices', entries: [], next: null }),
    listLoaded({ list: 'events', entries: [], next: null }),
  ];
  const activated = (words: GivenWords) => like('mfa.activation/on/authenticator app', words);
  return {
    'sessions.activity.sessions/absent': { 'before the call': beforeTheCall },
    'sessions.activity.devices/absent': { 'before the call': beforeTheCall },
    'sessions.activity.events/absent': { 'before the call': beforeTheCall },
    'sessions.activity.sessions/loading': { slow: opened },
    'sessions.activity.devices/loading': { slow: opened },
    'sessions.activity.events/loading': { slow: opened },
    'sessions.activity.sessions/failed': { failed },
    'sessions.activity.devices/failed': { failed },
    'sessions.activity.events/failed': { failed },
    'sessions.activity.sessions/loaded': {
      'signed in elsewhere': loaded,
      'signing out': (words) => [...loaded(words), actionStarted('phone')],
    },
    'sessions.activity.devices/loaded': { none: empty },
    'sessions.activity.events/loaded': {
      'more loading': (words) => [...loaded(words), actionStarted('more')],
    },
    'sessions.offer/none': { 'at the settings': (words) => settings(words) },
    'sessions.offer/offered': {
      'at the settings': (words) => [...settings(words), othersFound()],
      'second step set up': (words) => [...activated(words), othersFound()],
    },
    'sessions.offer/ending': {
      'at the settings': (words) => [...settings(words), othersFound(), endOthersConfirmed()],
      'second step set up': (words) => [...activated(words), othersFound(), endOthersConfirmed()],
    },
  };
}

/** Scenarios of `/account-activity`, and of the offer to end the other sessions. */
export const sessionsScenarios: FeatureScenarios = { reducer: sessionsReducer, scenarios };
