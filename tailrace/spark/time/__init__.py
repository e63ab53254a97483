"""Time: watermark, batch size and load shedding, from what each batch shows."""
