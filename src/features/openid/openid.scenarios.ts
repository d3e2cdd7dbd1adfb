import { dialogOpened } from '@features/ui-dialogs';
import type { FeatureScenarios, GivenWords, ScenariosOf, ScenarioTools } from '@shared/scenario';
import { applicationsMessages } from './applications.messages';
import {
  applicationDisconnected,
  applicationsEntered,
  applicationsFailed,
  applicationsLoaded,
  disconnectConfirmed,
} from './applications.slice';
import {
  applicationOpened,
  codeAsked,
  codeRejected,
  codeSubmitted,
  continueEntered,
  identityProved,
  newCodeRequested,
  newCodeSent,
  requestAnswered,
  requestEnded,
  requestLoaded,
  requestUnreached,
} from './continue.slice';
import type { ConnectedApplication, OpenIdRequest } from './openid.calls';
import { openidReducer, type OpenIdState } from './openid.reducer';

const identity: OpenIdRequest = {
  name: 'Reports',
  needsIdentity: true,
  needsConsent: false,
  needsCode: true,
  asksWho: false,
  what: ['name', 'email'],
};
const consent: OpenIdRequest = {
  name: 'Partner portal of Northwind Traders',
  needsIdentity: false,
  needsConsent: true,
  needsCode: false,
  asksWho: false,
  what: ['name', 'email', 'applications', 'offline'],
};

const reports: ConnectedApplication = {
  id: 'reports',
  name: 'Reports',
  url: 'https://reports.example.com/',
  what: ['name', 'email'],
  connectedAt: '2026-11-24T16:05:00Z',
};
const portal: ConnectedApplication = {
  id: 'partner-portal',
  name: consent.name,
  url: null,
  what: consent.what,
  connectedAt: '2026-11-02T09:30:00Z',
};

const { confirm } = applicationsMessages;

function scenarios({ at, signedIn, verifying }: ScenarioTools): ScenariosOf<'openid', OpenIdState> {
  const opened = (words: GivenWords) => [signedIn(words), at('/continue/id'), continueEntered()];
  const coded = (words: GivenWords, lastFourPhone: string | null = '0143') => [
    ...[...opened(words), requestLoaded(identity), requestAnswered({ allow: true }), identityProved()],
    codeAsked({ lastFourPhone }),
  ];
  const over = (name: string) => requestEnded({ name, url: 'https://reports.example.com/' });
  const longName = 'NorthwindTraders'.repeat(5);
  const beforeTheCall = (words: GivenWords) => [signedIn(words), at('/account-activity')];
  const entered = (words: GivenWords) => [...beforeTheCall(words), applicationsEntered()];
  const connected = (words: GivenWords) => [...entered(words), applicationsLoaded([reports, portal])];
  return {
    'openid.request/loading': { slow: opened },
    'openid.request/asking': {
      consent: (words) => [...opened(words), requestLoaded(consent)],
      identity: (words) => [...opened(words), requestLoaded(identity)],
      'which account': (words) => [
        ...opened(words),
        requestLoaded({ ...identity, needsIdentity: false, asksWho: true }),
      ],
      'a long name': (words) => [...opened(words), requestLoaded({ ...consent, name: longName })],
    },
    'openid.request/proving': {
      'verify identity': (words) => [
        ...opened(words),
        requestLoaded(identity),
        requestAnswered({ allow: true }),
        ...verifying('continue'),
      ],
    },
    'openid.request/answering': {
      continue: (words) => [...opened(words), requestLoaded(consent), requestAnswered({ allow: true })],
      cancel: (words) => [...opened(words), requestLoaded(consent), requestAnswered({ allow: false })],
    },
    'openid.request/code': {
      'text message': (words) => coded(words),
      'new message': (words) => [...coded(words), newCodeRequested(), newCodeSent()],
      'authenticator app': (words) => coded(words, null),
    },
    'openid.request/checking': { code: (words) => [...coded(words), codeSubmitted('123456')] },
    'openid.request/rejected': {
      'wrong code': (words) => [...coded(words), codeSubmitted('123456'), codeRejected()],
    },
    'openid.request/over': {
      over: (words) => [...opened(words), over('Reports')],
      leaving: (words) => [...opened(words), over('Reports'), applicationOpened()],
      'a long name': (words) => [...opened(words), over(longName)],
    },
    'openid.request/unreached': { failed: (words) => [...opened(words), requestUnreached()] },
    'openid.applications.list/absent': { 'before the call': beforeTheCall },
    'openid.applications.list/loading': { slow: entered },
    'openid.applications.list/failed': { failed: (words) => [...entered(words), applicationsFailed()] },
    'openid.applications.list/loaded': {
      connected,
      'asked whether to disconnect': (words) => [
        ...connected(words),
        dialogOpened({ ...confirm, kind: 'confirm', title: confirm.title(reports.name) }),
      ],
      disconnecting: (words) => [...connected(words), disconnectConfirmed(reports)],
      disconnected: (words) => [...connected(words), applicationDisconnected(reports)],
      none: (words) => [...entered(words), applicationsLoaded([])],
      'a long name': (words) => [...entered(words), applicationsLoaded([{ ...reports, name: longName }])],
    },
  };
}

/** Scenarios of `/continue/{id}`, and of the connected applications. */
export const openidScenarios: FeatureScenarios = { reducer: openidReducer, scenarios };
