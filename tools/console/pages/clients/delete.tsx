import { planClientDeletion } from '../../../operator/deletion.ts';
import { deletionPages } from '../shared/deletion.tsx';

/** The deletion of a client. */
export const deletePages = deletionPages('client', planClientDeletion);
