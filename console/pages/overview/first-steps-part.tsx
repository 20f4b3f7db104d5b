import type { FirstSteps } from '../../../cli/operations/first-steps.ts';
import { Part, Timeline, type TimelineEvent } from '../../components/detail.tsx';

/** The way from an empty deployment to the first upload. It is gone when there was one. */
export function FirstStepsPart({ steps }: { readonly steps: FirstSteps }) {
  const { hasClients, hasFiles, hasUploads } = steps;
  if (hasClients && hasFiles && hasUploads) {
    return null;
  }
  const events: readonly (Pick<TimelineEvent, 'title' | 'text'> & { readonly isDone: boolean })[] = [
    {
      title: 'Create a client',
      text: (
        <Step
          address="/clients/new"
          label="Create a client"
          text="It is an application of one organisation."
        />
      ),
      isDone: hasClients,
    },
    {
      title: 'Create a file, with syncing on',
      text: <Step address="/files/+new" label="Create a file" text="It takes what the client uploads." />,
      isDone: hasFiles,
    },
    {
      title: 'Upload something',
      text: 'Give the application its client id and client secret. Its uploads appear under Uploads.',
      isDone: hasUploads,
    },
  ];
  const current = events.find(({ isDone }) => !isDone);
  return (
    <Part title="First steps">
      <Timeline
        events={events.map(({ title, text, isDone }) => ({
          title,
          ...(!isDone && { text }),
          state: isDone ? 'done' : title === current?.title ? 'now' : 'coming',
        }))}
      />
    </Part>
  );
}

function Step({
  address,
  label,
  text,
}: {
  readonly address: string;
  readonly label: string;
  readonly text: string;
}) {
  return (
    <>
      {text}{' '}
      <a class="button small" href={address}>
        {label}
      </a>
    </>
  );
}
