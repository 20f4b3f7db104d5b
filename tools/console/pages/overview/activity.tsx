import {
  type Activity,
  type ActivityMetric,
  type ActivitySpan,
  activitySpans,
  sumOf,
  totalOf,
} from '../../../operator/requests/activity.ts';
import { counted, formatBytes } from '../../../operator/text.ts';
import { Plot } from '../../components/plot.tsx';
import { withQuery } from '../../http/addresses.ts';

const succeeded = ['TokensIssued', 'SyncsIssued'] as const;
const rejected = ['TokensRejected', 'SyncsRejected'] as const;

/** The activity: requests and rejections, uploads and bytes, with links to the clients. */
export function ActivityOf({ activity, span }: { readonly activity: Activity; readonly span: ActivitySpan }) {
  const sum = (...metrics: readonly ActivityMetric[]) => sumOf(activity, ...metrics);
  const total = (...metrics: readonly ActivityMetric[]) => totalOf(activity, ...metrics);
  const [uploads, bytes] = [total('UploadsCompleted'), total('UploadBytes')];
  const since = `${activitySpans[span].seconds / 3600}h`;
  return (
    <>
      <div class="row">
        <Figure
          name="Token and URL requests"
          value={plain(total(...succeeded))}
          about={`succeeded, ${plain(total(...rejected))} rejected`}
          bars={{ rejected: sum(...succeeded, ...rejected), succeeded: sum(...succeeded) }}
        />
        <Figure
          name="Uploads"
          value={plain(uploads)}
          about={`of ${counted(total('SyncsIssued'), 'URL')}, ${plain(total('UploadsExpired'))} expired unused`}
          bars={{ succeeded: sum('UploadsCompleted') }}
        />
        <Figure
          name="Bytes"
          value={formatBytes(bytes)}
          about={uploads === 0 ? 'no content arrived' : `${formatBytes(bytes / uploads)} on average`}
          bars={{ succeeded: sum('UploadBytes') }}
        />
      </div>
      <p class="row">
        <a href={withQuery('/rejections', { since })}>Rejections by client</a>
        <a href={withQuery('/usage', { since })}>Successful requests by client</a>
      </p>
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly bars: Readonly<Record<string, readonly number[]>>;
}

/** A number, and its values over time. */
function Figure({ name, value, about, bars }: FigureProps) {
  return (
    <div class="card">
      <p>
        <span class="muted">{name}</span>
        <b>{value}</b>
        <span class="muted">{about}</span>
      </p>
      <Plot label={`${name}: ${value} ${about}`} bars={bars} />
    </div>
  );
}

function plain(value: number): string {
  return value.toLocaleString('en-GB');
}
