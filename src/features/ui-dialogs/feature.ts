import type { Feature } from '@shared/deps';
import { dialogsReducer } from './dialogs.slice';

/** The dialogs of the others. */
export const uiDialogs = { name: 'ui-dialogs', reducer: dialogsReducer } as const satisfies Feature;
