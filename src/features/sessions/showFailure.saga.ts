import { sessionMessages } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import { troubleOf } from '@shared/api/apiError';
import { call } from '@shared/sagas/call.saga';
import type { ApiResult } from '@shared/sagas/callApi.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { activityMessages } from './activity.messages';

/** Shows the fallback message if the call of an action has failed. */
export function* showFailure(result: ApiResult<unknown>): SagaGenerator<void> {
  if (result.ok) return;
  yield* call(showAlert, {
    ...activityMessages.error,
    message: sessionMessages.fallback,
    ...troubleOf(result.error),
  });
}
