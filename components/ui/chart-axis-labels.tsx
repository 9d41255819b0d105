/** Names the first, the middle and the last of a chart's columns, each under its own; at the edges within the chart. */
export function ChartAxisLabels({ names }: { names: string[] }) {
  const places = [...new Set([0, Math.floor((names.length - 1) / 2), names.length - 1])];
  return (
    <span className="relative block h-4">
      {places.map((place) => {
        const middle = ((place + 0.5) / names.length) * 100;
        // As wide as it can be with the column in its middle; a name that needs more grows away from the nearer edge.
        const [edge, width] = middle <= 50 ? ["left-0", 2 * middle] : ["right-0", 2 * (100 - middle)];
        return (
          <span key={place} className={`absolute ${edge} min-w-max text-center`} style={{ width: `${width}%` }}>
            {names[place]}
          </span>
        );
      })}
    </span>
  );
}
