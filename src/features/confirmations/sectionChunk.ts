import { createOptionalChunk } from '@shared/chunk';

/** The section 'Payments' of the settings, for the few users for whom something waits. */
export const sectionChunk = createOptionalChunk(() => import('./section'));
