import type { Feature } from '@shared/deps';
import { dialogsReducer } from './dialogs.slice';

/** The dialogs, which the other features open. */
export const uiDialogs = { name: 'ui-dialogs', reducer: dialogsReducer } as const satisfies Feature;
