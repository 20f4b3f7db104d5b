import { planClientDeletion } from '../../../operator/organisations/deletion.ts';
import { deletionPages } from '../shared/deletion.tsx';

/** The deletion of a client. */
export const deletePages = deletionPages('client', planClientDeletion);
