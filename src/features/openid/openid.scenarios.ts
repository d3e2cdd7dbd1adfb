import type { FeatureScenarios, ScenariosOf, ScenarioTools } from '@shared/scenario';
import {
  continueEntered,
  continueReducer,
  requestAnswered,
  requestLoaded,
  requestUnreached,
  type ContinueState,
} from './continue.slice';
import type { OpenIdRequest } from './openid.calls';

const identity: OpenIdRequest = {
  name: 'Reports',
  needsIdentity: true,
  needsConsent: false,
  what: ['name', 'email'],
};
const consent: OpenIdRequest = {
  name: 'Partner portal of Northwind Traders',
  needsIdentity: false,
  needsConsent: true,
  what: ['name', 'email', 'applications', 'offline'],
};

function scenarios({ at, signedIn, verifying }: ScenarioTools): ScenariosOf<'openid', ContinueState> {
  const opened = (words: Parameters<typeof signedIn>[0]) => [
    signedIn(words),
    at('/continue/id'),
    continueEntered(),
  ];
  return {
    'openid/loading': { slow: opened },
    'openid/asking': {
      consent: (words) => [...opened(words), requestLoaded(consent)],
      identity: (words) => [...opened(words), requestLoaded(identity)],
      'a long name': (words) => [
        ...opened(words),
        requestLoaded({ ...consent, name: 'NorthwindTraders'.repeat(5) }),
      ],
    },
    'openid/proving': {
      'verify identity': (words) => [
        ...opened(words),
        requestLoaded(identity),
        requestAnswered({ allow: true }),
        ...verifying('continue'),
      ],
    },
    'openid/answering': {
      continue: (words) => [...opened(words), requestLoaded(consent), requestAnswered({ allow: true })],
      cancel: (words) => [...opened(words), requestLoaded(consent), requestAnswered({ allow: false })],
    },
    'openid/unreached': { failed: (words) => [...opened(words), requestUnreached()] },
  };
}

/** Scenarios of `/continue/{id}`. */
export const openidScenarios: FeatureScenarios = { reducer: continueReducer, scenarios };
