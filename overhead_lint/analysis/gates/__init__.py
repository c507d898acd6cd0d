"""What lets program points run hardly ever: guards, by what they ask and what is done behind them."""
