import type { JSX } from "preact";
import type { Following } from "../live";
import { strings } from "../strings";
import { visible } from "../text/visible";

/** Whether the page still follows the logs that `unmask view` reads. */
export function LiveState({ following }: { following: Following }): JSX.Element {
  return (
    <p class={`live live-${following.state}`} role="status">
      {following.state === "live" && strings.live.live}
      {following.state === "ended" && strings.live.ended}
      {following.state === "stuck" && (
        <>
          {strings.live.stuck} <span dir="auto">{visible(following.problem)}</span>
        </>
      )}
    </p>
  );
}
