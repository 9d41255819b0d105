/** Labels the first, middle and last column of a chart, each centered under its column but within the chart. */
export function ChartAxisLabels({ names }: { names: string[] }) {
  const places = [...new Set([0, Math.floor((names.length - 1) / 2), names.length - 1])];
  return (
    <span className="relative block h-4">
      {places.map((place) => {
        const middle = ((place + 0.5) / names.length) * 100;
        // The widest box centered on the column; a longer label extends away from the nearer edge.
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
