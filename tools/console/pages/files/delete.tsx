import { planFileDeletion } from '../../../operator/organisations/deletion.ts';
import { deletionPages } from '../shared/deletion.tsx';

/** The deletion of a file. */
export const deletePages = deletionPages('file', planFileDeletion);
