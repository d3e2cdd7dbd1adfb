import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useFeatures } from '@shared/contexts';
import { useDispatch, useSelector } from 'react-redux';
import { activityMessages } from './activity.messages';
import {
  endRequested,
  forgetRequested,
  listRequested,
  moreRequested,
  selectActivity,
} from './activity.slice';
import { ActivityLists } from './ActivityLists';

/** `/account-activity`. */
export function Activity() {
  const { _ } = useLingui();
  const state = useSelector(selectActivity);
  const dispatch = useDispatch();
  const features = useFeatures();
  return (
    <>
      <ScreenTitle screen={_(activityMessages.title)} />
      <ActivityLists
        {...state}
        takesFocus={!useSelector(selectIsEmbedded)}
        onTryAgain={(list) => void dispatch(listRequested({ list }))}
        onEnd={(id) => void dispatch(endRequested(id))}
        onForget={(id) => void dispatch(forgetRequested(id))}
        onMore={() => void dispatch(moreRequested())}
      >
        {features.map(({ name, ActivityPart }) => ActivityPart && <ActivityPart key={name} />)}
      </ActivityLists>
    </>
  );
}
