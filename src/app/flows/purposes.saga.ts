import { resumeEnrolment, selectEnrolment, selectIsTurnOffConfirmed } from '@features/mfa';
import type { Purpose } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { paths } from '@vestibule/contract/paths';
import { select } from 'typed-redux-saga';
import { turnOffMfa } from './turnOffMfa.saga';

const never: Purpose['isAskedFor'] = () => call(() => false);

const enrolment: Purpose['proved'] = function* (deps) {
  yield* call(resumeEnrolment, deps);
  return null;
};

/** The purposes of verify identity that involve several features. */
export const purposes = {
  enable: {
    *isAskedFor() {
      return (yield* select(selectEnrolment)).phase !== 'none';
    },
    otherwise: paths.mfaOptions(),
    proved: enrolment,
  },
  // Used in setup mode, where no proof is asked for (docs/behaviour.md#setup-mode).
  setup: { isAskedFor: never, proved: enrolment },
  disable: {
    *isAskedFor() {
      return yield* select(selectIsTurnOffConfirmed);
    },
    proved: turnOffMfa,
  },
  // The change of the password verifies identity on a screen of its own.
  changePassword: {
    isAskedFor: never,
    *proved({ navigation }) {
      yield* call(navigation.replace, paths.changePassword());
      return null;
    },
  },
} satisfies Readonly<Record<string, Purpose>>;
