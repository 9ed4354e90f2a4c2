/** What a picture is drawn with: the same calls give pixels or shapes. Units are CSS pixels of the picture. */
import { SvgContext } from "./svgContext.ts";

export interface ShapeLook {
  readonly fill: string | null;
  readonly stroke: string | null;
  readonly strokeWidth: number;
  readonly dash: readonly number[];
  readonly cap: CanvasLineCap;
}

export interface Pen {
  readonly context: CanvasRenderingContext2D;
  /** A path as SVG writes it, shifted to a place. */
  shape(path: string, x: number, y: number, look: ShapeLook): void;
  /** What a canvas of the page shows, in a box. */
  canvas(element: HTMLCanvasElement, x: number, y: number, width: number, height: number): void;
}

export function canvasPen(context: CanvasRenderingContext2D): Pen {
  return {
    context,
    shape: (path, x, y, look) => {
      context.save();
      context.translate(x, y);
      const shape = new Path2D(path);
      if (look.fill !== null) {
        context.fillStyle = look.fill;
        context.fill(shape);
      }
      if (look.stroke !== null) {
        context.strokeStyle = look.stroke;
        context.lineWidth = look.strokeWidth;
        context.lineCap = look.cap;
        context.setLineDash([...look.dash]);
        context.stroke(shape);
      }
      context.restore();
    },
    canvas: (element, x, y, width, height) => context.drawImage(element, x, y, width, height),
  };
}

/** `drawn` has what each canvas was told to draw; a canvas that drew nothing anew gives its pixels. */
export function svgPen(svg: SvgContext, drawn: ReadonlyMap<HTMLCanvasElement, SvgContext>): Pen {
  return {
    context: svg as unknown as CanvasRenderingContext2D,
    shape: (path, x, y, look) => {
      svg.save();
      svg.translate(x, y);
      svg.fillStyle = look.fill ?? "none";
      svg.strokeStyle = look.stroke ?? "none";
      svg.lineWidth = look.strokeWidth;
      svg.lineCap = look.cap;
      svg.setLineDash(look.dash);
      svg.shape(path, look.fill !== null, look.stroke !== null);
      svg.restore();
    },
    canvas: (element, x, y, width) => {
      const content = drawn.get(element) ?? pixelsOf(element);
      if (!content) return;
      svg.rasters += content.rasters;
      svg.group(content.text(), x, y, width / element.width);
    },
  };
}

function pixelsOf(element: HTMLCanvasElement): SvgContext | null {
  const { width, height } = element;
  const context = element.getContext("2d");
  if (!context || width === 0 || height === 0) return null;
  const content = new SvgContext(element);
  content.raster(context.getImageData(0, 0, width, height), 0, 0);
  return content;
}
